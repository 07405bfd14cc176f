import Corpus
import Subjects
import Sweep

/// One way to set one subject.
public struct SettingChoice: Hashable, Sendable {
  public var subject: String
  public var settings: SubjectSettings

  public init(subject: String, settings: SubjectSettings) {
    (self.subject, self.settings) = (subject, settings)
  }

  public init(_ cell: CellResult) { self.init(subject: cell.subject, settings: cell.settings) }

  public init(_ summary: SettingSummary) {
    self.init(subject: summary.subject, settings: summary.settings)
  }

  public init(_ point: TuneAnswer.Point) {
    self.init(subject: point.subject, settings: point.settings)
  }

  /// True if it reads whole recordings, so that no singer can play it live.
  public var isOffline: Bool {
    guard subject == ReferenceSubject().id,
      case .offline = try? ChoirEngine.chosen(by: settings).engine
    else { return false }
    return true
  }

  /// True if these are the default settings of the reference harmonizer, its default engine included.
  public var isDefault: Bool {
    guard subject == ReferenceSubject().id, let chosen = try? ChoirEngine.chosen(by: settings),
      let standard = try? ChoirEngine.chosen(by: [:])
    else { return false }
    return chosen.engine == standard.engine && chosen.others.isEmpty
  }
}
