/// One finding of a gate, for a terminal, a page or a code review.
public struct GateFinding: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case regression
    case brokenBudget = "budget broken"
    case failedCell = "cell failed"
    case missingCell = "cell missing"
    case notComparable = "not comparable"
    case inconclusive
    case improvement
    /// Information that never fails a gate.
    case note

    /// Exit code of a finding that fails the gate; `nil` if it does not.
    public func exitCode(strict: Bool) -> Int32? {
      switch self {
      case .regression, .brokenBudget: 1
      case .failedCell, .missingCell, .notComparable: 2
      case .inconclusive: strict ? 3 : nil
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

  public init(
    _ kind: Kind, _ subject: String, _ message: String, metric: String? = nil,
    command: String? = nil, key: FigureKey? = nil
  ) {
    (self.kind, self.subject, self.message) = (kind, subject, message)
    (self.metric, self.command, self.key) = (metric, command, key)
  }
}
