import Metrics
import Subjects

/// The outcome of a search for the commit that made a figure worse.
public struct BisectionResult: Codable, Sendable {
  /// One commit that was tested.
  public struct Trial: Codable, Sendable {
    public enum Verdict: String, Codable, Sendable {
      case good, bad
      /// It could not be built or measured.
      case skipped
    }

    public var commit: Commit
    public var verdict: Verdict
    /// Reason why it was skipped; or that another commit has the same program, or that the verdict
    /// is uncertain.
    public var remark: String?
    /// Number of cells measured for the verdict.
    public var cells: Int
    /// Value of the figure in the recording; `nil` if it was not measured.
    public var value: Double?
  }

  public var schema = "choir-eval.bisect/1"
  public var plan: String
  public var good: Commit
  public var bad: Commit
  /// The first bad commit; several if those between could not be tested.
  public var suspects: [Commit]
  /// The figure; `nil` if a cell fails.
  public var figure: FigureKey?
  /// The change of which the figure is the most direct measure; `nil` if another figure was chosen.
  public var cause: CauseGroup?
  /// Other changes between the good and the bad commit.
  public var otherCauses: [CauseGroup]
  public var unit: String
  /// The recording in which it got worse by most, and its condition.
  public var recording: String
  public var condition: String
  /// Value of the figure there before the first bad commit and with it.
  public var before: Double?
  public var after: Double?
  /// The instants at which the sounds before and after differ most, with their files.
  public var sounds: DifferingInstants?
  /// Number of commits after the good one.
  public var commits: Int
  /// Number of revisions that were built now.
  public var builds: Int
  /// Tested commits in the order of history.
  public var trials: [Trial]
}
