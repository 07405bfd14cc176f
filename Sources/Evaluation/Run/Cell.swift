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

  init(
    _ recording: ManifestEntry, recordingDigest: String, condition: HeardCondition = .clean,
    score: Score, settings: SubjectSettings, subject: any Subject,
    metrics: MetricChoice = .everything
  ) {
    self.recording = recording
    self.condition = condition.condition
    self.score = score
    self.settings = settings
    subjectID = subject.id
    self.metrics = metrics
    key = Digest.sha256(
      [
        recordingDigest, condition.address, score.canonical, settings.canonical, subject.id,
        subject.version, metrics.fingerprint,
      ].joined(separator: "\n"))
  }

  /// For progress and messages.
  public var label: String {
    let through = condition == .clean ? "" : " · \(condition)"
    return "\(recording.id)\(through) · \(score.id) · \(settings.canonical)"
  }
}

extension Plan {
  /// All cells, those of one recording together; settings are checked before anything runs.
  public func cells(in corpus: Corpus) throws -> [Cell] {
    let subject = try Subjects.subject(id: subject, in: corpus.subjectsFolder)
    let combinations = combinations()
    for combination in combinations {
      for score in scores { try subject.validate(combination, for: score) }
    }
    let cells = try recordings.flatMap { id in
      let entry = try corpus.entry(id: id)
      let digest = try corpus.digest(of: entry)
      return try heardConditions(of: entry, in: corpus).flatMap { condition in
        scores.flatMap { score in
          combinations.map { settings in
            Cell(
              entry, recordingDigest: digest, condition: condition, score: score,
              settings: settings, subject: subject, metrics: metrics ?? .everything)
          }
        }
      }
    }
    guard !cells.isEmpty else { throw EvaluationError.nothingToRun(plan: name) }
    return cells
  }
}
