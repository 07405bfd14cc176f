import Metrics

/// One finding of a gate, for a terminal, a page or a code review.
public struct GateFinding: Codable, Equatable, Sendable {
  /// Kinds in the order in which they are shown: what crashed explains more than what changed.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case failedCell = "cell failed"
    case missingCell = "cell missing"
    case regression
    case brokenBudget = "budget broken"
    case notComparable = "not comparable"
    case inconclusive
    case improvement
    /// Information that never fails a gate.
    case note

    /// The finding of a verdict; `nil` within noise.
    init?(_ verdict: ComparisonVerdict) {
      switch verdict {
      case .regression: self = .regression
      case .inconclusive: self = .inconclusive
      case .improvement: self = .improvement
      case .withinNoise: return nil
      }
    }

    /// The outcome of a gate that fails by such a finding; `nil` if the finding does not fail it.
    public func outcome(strict: Bool) -> GateResult.Outcome? {
      switch self {
      case .regression, .brokenBudget: .regression
      case .failedCell, .missingCell, .notComparable: .notMeasured
      case .inconclusive: strict ? .inconclusive : nil
      case .improvement, .note: nil
      }
    }
  }

  public var kind: Kind
  /// Short name of the figure, such as `pitch.abs_error of +4`.
  public var subject: String
  /// The finding in one sentence.
  public var message: String
  public var metric: String?
  /// The command that explains it.
  public var command: String?
  /// Key of the figure in the baseline.
  public var key: FigureKey?
  /// Title of the change that explains a regression, such as `delay of voice +4`.
  public var cause: String?
  /// True for a regression that another finding of the same cause measures more directly.
  public var isFolded = false

  public init(
    _ kind: Kind, _ subject: String, _ message: String, metric: String? = nil,
    command: String? = nil, key: FigureKey? = nil
  ) {
    (self.kind, self.subject, self.message) = (kind, subject, message)
    (self.metric, self.command, self.key) = (metric, command, key)
  }
}
