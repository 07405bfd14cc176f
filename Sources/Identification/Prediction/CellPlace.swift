import Corpus
import Subjects
import Sweep

/// The coordinates of a cell: what distinguishes it from the other cells of a plan.
public struct CellPlace: Hashable, Sendable {
  public var recording: String
  /// Canonical text of the condition.
  public var condition: String
  public var score: String
  public var subject: String
  public var settings: SubjectSettings
  /// True for recordings of impulses or noise, which hold no voice.
  public var isProbe: Bool

  public init(_ cell: Cell) {
    (recording, condition) = (cell.recording.id, cell.condition.canonical)
    (score, subject, settings) = (cell.score.id, cell.subjectID, cell.settings)
    isProbe = cell.recording.kind == "probe"
  }

  public init(_ cell: CellResult) {
    (recording, condition) = (cell.recording, cell.condition)
    (score, subject, settings) = (cell.score.id, cell.subject, cell.settings)
    isProbe = cell.kind == "probe"
  }

  /// One way to set one subject.
  struct Choice: Hashable {
    var subject: String
    var settings: SubjectSettings
  }

  var choice: Choice { Choice(subject: subject, settings: settings) }
}
