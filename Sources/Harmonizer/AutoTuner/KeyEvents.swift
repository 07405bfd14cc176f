import DSP

/// An action of a player, and the sample of the sound that it came with.
struct KeyEvent: BitwiseCopyable, Sendable {
  enum Action: BitwiseCopyable, Sendable {
    case press, release, releaseAll, pedalDown, pedalUp, bend
  }

  var sample: Int
  var action: Action
  var key: Int
  /// Interval of a bend.
  var semitones: Double

  @_noLocks init(sample: Int, action: Action, key: Int, semitones: Double = 0) {
    (self.sample, self.action, self.key, self.semitones) = (sample, action, key, semitones)
  }
}

/// Actions that wait until the tuner reaches their sound, which it judges a look-ahead late.
///
/// - Allocates: in `init` only.
struct KeyEvents: ~Copyable {
  /// Far more than fingers and wheels can play within a look-ahead; the oldest of more are lost.
  private var waiting = RealtimeQueue(
    room: 4096, filling: KeyEvent(sample: 0, action: .press, key: 0))

  @_noLocks mutating func add(_ event: KeyEvent) { waiting.push(event) }

  /// Returns the oldest event that was with `sample` or before it.
  @_noLocks mutating func next(upTo sample: Int) -> KeyEvent? {
    guard waiting.count > 0, waiting.first.sample <= sample else { return nil }
    return waiting.pop()
  }

  @_noLocks mutating func reset() { waiting.removeAll() }
}
