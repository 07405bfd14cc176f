/// An instrument that is played by keys: a harmonizer, a tuner.
///
/// Events between two blocks take effect between them. None allocates or locks.
public protocol KeyReceiver: ~Copyable {
  /// - Parameters:
  ///   - key: 0 to 127; other keys are ignored.
  ///   - velocity: 1 to 127, limited to that range.
  @_noLocks mutating func press(_ key: Int, velocity: Int)
  @_noLocks mutating func release(_ key: Int)
  /// Releases every key, however often it was pressed.
  @_noLocks mutating func releaseAll()
  /// Moves the sustain pedal.
  @_noLocks mutating func setPedal(isDown: Bool)
  /// Bends the pitch of a key at once, until the next bend: a pitch wheel for a single key.
  ///
  /// - Parameter semitones: -127 to 127, limited to that range; NaN is ignored.
  @_noLocks mutating func setBend(semitones: Double, ofKey key: Int)
}
