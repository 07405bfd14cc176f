import Music

extension Harmonizer: KeyReceiver {}

extension AutoTuner: KeyReceiver {
  /// Presses a key; a tuner ignores the velocity.
  @_noLocks public mutating func press(_ key: Int, velocity: Int) { press(key) }
}
