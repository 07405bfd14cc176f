/// A key, a pedal or a wheel that moves, by the clock.
public struct NoteEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Action: Equatable, Sendable, BitwiseCopyable {
    case release(key: Int)
    case press(key: Int, velocity: Int)
    /// The sustain pedal.
    case pedal(isDown: Bool)
    /// How far what this key plays is from its pitch, from now on, whether it is down or not.
    case bend(key: Int, semitones: Double)

    /// Of those of one instant: what ends comes before what begins, a bend before the note that begins
    /// with it, keys before the pedal.
    var rank: Int {
      switch self {
      case .release: 0
      case .bend: 1
      case .press: 2
      case .pedal: 3
      }
    }
  }

  public var atSeconds: Double
  public var action: Action

  public init(atSeconds: Double, _ action: Action) {
    (self.atSeconds, self.action) = (atSeconds, action)
  }
}

extension KeyReceiver where Self: ~Copyable {
  /// Every requirement is `@_noLocks`; the compiler can't tell of what is generic.
  @_semantics("no_performance_analysis")
  public mutating func perform(_ action: NoteEvent.Action) {
    switch action {
    case .press(let key, let velocity): press(key, velocity: velocity)
    case .release(let key): release(key)
    case .pedal(let isDown): setPedal(isDown: isDown)
    case .bend(let key, let semitones): setBend(semitones: semitones, ofKey: key)
    }
  }
}
