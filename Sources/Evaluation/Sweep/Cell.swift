import Corpus
import Metrics
import Platform
import Subjects

/// One recording × one condition × one score × one setting of one subject: the unit of work, of
/// caching and of failure.
public struct Cell: Equatable, Sendable {
  public let recording: ManifestEntry
  /// The condition under which the subject receives the recording.
  public let condition: Condition
  public let score: Score
  public let settings: SubjectSettings
  public let subjectID: String
  /// The metrics to measure.
  public let metrics: MetricChoice
  /// Digest of everything that determines the measurements.
  public let key: String

  /// Name of the setting for the sample rate in Hz, which the toolkit applies, not the subject.
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
        spelled.toolkit, recording.id, recording.kind, recordingDigest, condition.address,
        spelled.score, settings.canonical, subject.id, spelled.subjectVersion, spelled.metrics,
      ] + (content.isEmpty ? [] : [content])).joined(separator: "\n"))
  }

  /// Texts that the keys of many cells share; computing them takes longer than a key.
  package struct Spelled {
    fileprivate let score: String
    fileprivate let subjectVersion: String
    fileprivate let metrics: String
    fileprivate let toolkit: String

    init(_ score: Score, _ subject: any Subject, _ metrics: MetricChoice) {
      self.score = score.canonical
      subjectVersion = subject.version
      self.metrics = metrics.fingerprint
      toolkit = Toolkit.current.digest
    }
  }

  /// The settings passed to the subject.
  package var subjectSettings: SubjectSettings { settings.filter { $0.key != Self.rateSetting } }

  /// Sample rate of the sound passed to the subject; `nil` keeps the recording's.
  var rateHz: Double? { settings[Self.rateSetting]?.number }

  /// Name of the sounds whose analyses it shares with other cells: mostly the oracle of a synthetic
  /// recording, otherwise the subject's input.
  var reference: String {
    "\(recording.id) " + (recording.syntheticName == nil ? condition.canonical : score.id)
  }

  /// Label for progress and messages.
  public var label: String {
    [Condition.place(recording.id, condition.canonical), score.id, subjectID, settings.canonical]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
