import Platform

/// One result of a probe.
public struct ProbeFinding: Codable, Equatable, Sendable {
  public enum Aspect: String, Codable, CaseIterable, Sendable {
    case latency, voices, step, vibrato, identity, equivalence, robustness, cost, effect, soak

    /// The aspects of a harmonizer that last seconds.
    public static let short = allCases.filter { $0 != .effect && $0 != .soak }
  }

  public enum Verdict: String, Codable, Sendable {
    case good, poor
    /// A number without a judgement.
    case measured
    /// No number; `words` holds the reason.
    case undefined
  }

  public var aspect: Aspect
  public var name: String
  @NullIfMissing public var value: Double?
  @NullIfMissing public var unit: String?
  public var verdict: Verdict
  /// The verdict in words.
  public var words: String
  /// The error that left no number.
  public private(set) var cause: Cause?

  private enum CodingKeys: CodingKey { case aspect, name, value, unit, verdict, words }

  package init(
    _ aspect: Aspect, _ name: String, _ value: Double?, _ unit: String?, _ verdict: Verdict,
    _ words: String, cause: Cause? = nil
  ) {
    (self.aspect, self.name, self.unit) = (aspect, name, unit)
    self.value = value.flatMap { $0.isFinite ? $0 : nil }
    self.words = cause.map { "undefined: \($0)" } ?? words
    (self.verdict, self.cause) = (verdict, cause)
  }

  /// Creates a finding without a number.
  package init(_ aspect: Aspect, _ name: String, _ verdict: Verdict, _ words: String) {
    self.init(aspect, name, nil, nil, verdict, words)
  }

  package static func undefined(_ aspect: Aspect, _ name: String, _ reason: String) -> ProbeFinding
  {
    ProbeFinding(aspect, name, .undefined, "undefined: \(reason)")
  }

  package static func undefined(
    _ aspect: Aspect, _ name: String, _ error: any Error
  ) -> ProbeFinding {
    ProbeFinding(aspect, name, nil, nil, .undefined, "", cause: Cause(error))
  }
}
