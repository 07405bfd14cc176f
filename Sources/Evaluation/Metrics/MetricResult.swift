/// The result of a metric for one voice or for the whole output: a number, or the reason for its
/// absence.
public struct MetricResult: Codable, Equatable, Sendable {
  public enum Outcome: Codable, Equatable, Sendable {
    case value(Double)
    case undefined(Undefined)

    /// The value; `nil` without one.
    public var number: Double? { if case .value(let number) = self { number } else { nil } }

    /// The reason why there is no value.
    public var reason: Undefined? { if case .undefined(let why) = self { why } else { nil } }
  }

  /// Index of the voice in the score; `nil` for the whole output.
  public var voice: Int?
  public var outcome: Outcome
  /// Number of observations (frames, impulses) behind the result.
  public var count: Int

  package init(voice: Int? = nil, outcome: Outcome, count: Int) {
    (self.voice, self.outcome, self.count) = (voice, outcome, count)
  }

  /// The range of values: far beyond any figure of sound, and whole numbers within it fit any integer
  /// of 64 bits, in thousandths too.
  package static let range = -1e12...1e12

  /// A value outside of the range, or that is not a number, is none.
  public static func value(_ value: Double, voice: Int? = nil, count: Int) -> MetricResult {
    MetricResult(
      voice: voice,
      outcome: range.contains(value)
        ? .value(value) : .undefined(Undefined(.notFinite, "the result was \(value)")),
      count: count)
  }

  public static func undefined(_ reason: Undefined, voice: Int? = nil) -> MetricResult {
    MetricResult(voice: voice, outcome: .undefined(reason), count: 0)
  }

  public static func undefined(
    _ code: Undefined.Code, _ detail: String, voice: Int? = nil
  ) -> MetricResult {
    .undefined(Undefined(code, detail), voice: voice)
  }
}
