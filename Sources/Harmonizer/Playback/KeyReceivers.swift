import Music

extension Harmonizer: KeyReceiver {}

extension AutoTuner: KeyReceiver {
  /// As `press(_:)`; a tuner knows no velocity.
  @_noLocks public mutating func press(_ key: Int, velocity: Int) { press(key) }
}
