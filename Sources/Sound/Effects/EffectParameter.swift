/// A parameter of an effect.
public struct EffectParameter<Settings>: Sendable {
  /// The parameter's name everywhere. Its suffix is its unit (`Hz`, `Ms`, `Seconds`, `Db`, `Cents`,
  /// …); without one it is a ratio.
  public let name: String
  /// The parameter's function, for users.
  public let summary: String
  public let value: Value

  public enum Value: Sendable {
    case number(WritableKeyPath<Settings, Double> & Sendable, ClosedRange<Double>)
    case flag(WritableKeyPath<Settings, Bool> & Sendable)
    /// One of several words.
    case choice(WritableKeyPath<Settings, String> & Sendable, [String])
  }

  public init(
    _ name: String, _ place: WritableKeyPath<Settings, Double> & Sendable,
    in allowed: ClosedRange<Double>, _ summary: String
  ) {
    (self.name, self.summary, value) = (name, summary, .number(place, allowed))
  }

  public init(
    _ name: String, _ place: WritableKeyPath<Settings, Bool> & Sendable, _ summary: String
  ) {
    (self.name, self.summary, value) = (name, summary, .flag(place))
  }

  /// Makes a choice among words, which settings store as text.
  public init(
    _ name: String, _ place: WritableKeyPath<Settings, String> & Sendable, of words: [String],
    _ summary: String
  ) {
    (self.name, self.summary, value) = (name, summary, .choice(place, words))
  }
}
