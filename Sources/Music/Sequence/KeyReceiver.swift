/// What is played by keys: a harmonizer, a tuner, a sample player.
///
/// Events between two blocks are of the instant between them. None allocates or locks.
public protocol KeyReceiver: ~Copyable {
  /// - Parameters:
  ///   - key: 0 to 127; others change nothing.
  ///   - velocity: 1 to 127, cut to that range.
  @_noLocks mutating func press(_ key: Int, velocity: Int)
  @_noLocks mutating func release(_ key: Int)
  /// Moves the sustain pedal.
  @_noLocks mutating func setPedal(isDown: Bool)
  /// Moves what a key plays away from its pitch, at once, until it is moved again: a pitch wheel, a key
  /// at a time.
  ///
  /// - Parameter semitones: -127 to 127, cut to that range; what is not a number changes nothing.
  @_noLocks mutating func setBend(semitones: Double, ofKey key: Int)
}
