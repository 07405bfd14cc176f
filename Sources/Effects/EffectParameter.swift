/// One thing that can be chosen of an effect.
public struct EffectParameter<Settings>: Sendable {
  /// One name everywhere; its ending is its unit (`Hz`, `Ms`, `Seconds`, `Db`, `Cents`, …); without
  /// one it is a ratio.
  public let name: String
  /// What it does, for people.
  public let summary: String
  public let value: Value

  public enum Value: Sendable {
    case number(WritableKeyPath<Settings, Double> & Sendable, ClosedRange<Double>)
    case flag(WritableKeyPath<Settings, Bool> & Sendable)
    /// One of some words.
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

  /// A choice among words that settings keep as text.
  public init(
    _ name: String, _ place: WritableKeyPath<Settings, String> & Sendable, of words: [String],
    _ summary: String
  ) {
    (self.name, self.summary, value) = (name, summary, .choice(place, words))
  }
}
