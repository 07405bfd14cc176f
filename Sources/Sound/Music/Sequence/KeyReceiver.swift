/// A movement of a player: of a key, a pedal, a wheel or a switch.
public enum KeyAction: Equatable, Sendable, BitwiseCopyable {
  /// - Parameters:
  ///   - key: 0 to 127; other keys are ignored.
  ///   - velocity: 1 to 127, limited to that range.
  case press(key: Int, velocity: Int)
  case release(key: Int)
  /// Releases every key, however often it was pressed.
  case releaseAll
  /// The sustain pedal.
  case pedal(isDown: Bool)
  /// The latch: while it is on, keys sound after their release until the first key of a new chord.
  case latch(isOn: Bool)
  /// The deviation of a key from its pitch from now on, whether the key is down or not: a pitch wheel
  /// for a single key.
  ///
  /// - Parameter semitones: -127 to 127, limited to that range; NaN is ignored.
  case bend(key: Int, semitones: Double)

  /// The order of simultaneous events: releases before presses, a bend before the press that it
  /// belongs to, keys before the pedal.
  package var rank: Int {
    switch self {
    case .release, .releaseAll: 0
    case .bend: 1
    case .press: 2
    case .pedal, .latch: 3
    }
  }
}

/// An instrument that is played by keys: a harmonizer, a tuner.
///
/// Actions between two blocks take effect between them. None allocates or locks.
public protocol KeyReceiver: ~Copyable {
  @_noLocks mutating func perform(_ action: KeyAction)
}

/// Each action by itself. `perform` is `@_noLocks`, which the compiler can't see through a generic type.
extension KeyReceiver where Self: ~Copyable {
  @_semantics("no_performance_analysis")
  public mutating func press(_ key: Int, velocity: Int = 127) {
    perform(.press(key: key, velocity: velocity))
  }

  @_semantics("no_performance_analysis")
  public mutating func release(_ key: Int) { perform(.release(key: key)) }

  @_semantics("no_performance_analysis")
  public mutating func releaseAll() { perform(.releaseAll) }

  @_semantics("no_performance_analysis")
  public mutating func setPedal(isDown: Bool) { perform(.pedal(isDown: isDown)) }

  @_semantics("no_performance_analysis")
  public mutating func setLatch(isOn: Bool) { perform(.latch(isOn: isOn)) }

  @_semantics("no_performance_analysis")
  public mutating func setBend(semitones: Double, ofKey key: Int) {
    perform(.bend(key: key, semitones: semitones))
  }
}
