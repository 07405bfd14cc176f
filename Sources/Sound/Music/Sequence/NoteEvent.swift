/// A key, pedal or wheel movement with its time in seconds.
public struct NoteEvent: Equatable, Sendable, BitwiseCopyable {
  public enum Action: Equatable, Sendable, BitwiseCopyable {
    case release(key: Int)
    case press(key: Int, velocity: Int)
    /// The sustain pedal.
    case pedal(isDown: Bool)
    /// The deviation of a key from its pitch from now on, whether the key is down or not.
    case bend(key: Int, semitones: Double)

    /// The order of simultaneous events: releases before presses, a bend before the press that it
    /// belongs to, keys before the pedal.
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
  /// Passes an action on. Every requirement is `@_noLocks`, which the compiler can't see through a
  /// generic type.
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
