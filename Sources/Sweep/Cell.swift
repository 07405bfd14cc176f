import Corpus
import Files
import Metrics
import Subjects

/// One recording × one condition × one score × one setting of one subject: the unit of work, of
/// caching and of blame.
public struct Cell: Equatable, Sendable {
  public let recording: ManifestEntry
  /// What the subject hears the recording through.
  public let condition: Condition
  public let score: Score
  public let settings: SubjectSettings
  public let subjectID: String
  /// What is measured of it.
  public let metrics: MetricChoice
  /// The digest of everything that determines what is measured.
  public let key: String

  /// The setting that is not the subject's: the rate in Hz at which it gets the sound.
  static let rateSetting = "rateHz"

  package init(
    _ recording: ManifestEntry, recordingDigest: String, condition: HeardCondition = .clean,
    score: Score, settings: SubjectSettings, subject: any Subject,
    metrics: MetricChoice = .everything, spelled: Spelled? = nil
  ) {
    self.recording = recording
    self.condition = condition.condition
    self.score = score
    self.settings = settings
    subjectID = subject.id
    self.metrics = metrics
    let spelled = spelled ?? Spelled(score, subject, metrics)
    let content = subject.content(of: settings)
    key = Digest.sha256(
      ([
        recordingDigest, condition.address, spelled.score, settings.canonical, subject.id,
        spelled.subjectVersion, spelled.metrics,
      ] + (content.isEmpty ? [] : [content])).joined(separator: "\n"))
  }

  /// What the keys of many cells share, spelled once: it takes longer than the key.
  package struct Spelled {
    fileprivate let score: String
    fileprivate let subjectVersion: String
    fileprivate let metrics: String

    init(_ score: Score, _ subject: any Subject, _ metrics: MetricChoice) {
      self.score = score.canonical
      subjectVersion = subject.version
      self.metrics = metrics.fingerprint
    }
  }

  /// The settings that the subject is given.
  package var subjectSettings: SubjectSettings { settings.filter { $0.key != Self.rateSetting } }

  /// The rate at which the subject gets the sound; `nil`: its own.
  var rateHz: Double? { settings[Self.rateSetting]?.number }

  /// For progress and messages.
  public var label: String {
    let through = condition == .clean ? "" : " · \(condition)"
    return [recording.id + through, score.id, subjectID, settings.canonical]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
