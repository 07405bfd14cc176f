import Corpus
import Metrics
import Platform
import Subjects

extension Plan {
  /// Returns all cells, grouped by recording, after checking all settings.
  public func cells(in corpus: Corpus) throws -> [Cell] {
    try cells(in: corpus, of: subjects(in: corpus))
  }

  /// Returns the subjects of the plan in its order.
  package func subjects(in corpus: Corpus) throws -> [any Subject] {
    guard !subjects.isEmpty else {
      throw Refusal(name, "names no subject; add 'subject' to the plan, or give --subject")
    }
    return try subjects.map { try Subjects.subject(id: $0.id, in: corpus.subjectsFolder) }
  }

  /// - Parameter found: the subject for each of `subjects`.
  package func cells(in corpus: Corpus, of found: [any Subject]) throws -> [Cell] {
    let choices = try zip(subjects, found).map { choice, subject in
      (choice, subject, try checked(combinations(for: choice, of: subject), choice, subject))
    }
    try refuseUnusedSettings(found, choices.flatMap(\.2))
    let metrics = metrics ?? .everything
    try metrics.requireInstalled()
    let spelled = scores.map { score in
      choices.map { _, subject, _ in Cell.Spelled(score, subject, metrics) }
    }
    let entries = corpus.entries.keyed(by: \.id)
    let cells = try recordings.flatMap { id in
      let entry = try entries[id] ?? corpus.entry(id: id)
      let digest = try corpus.digest(of: entry)
      return try heardConditions(of: entry, in: corpus).flatMap { condition in
        zip(scores, spelled).flatMap { score, spelled in
          zip(choices, spelled).flatMap { choice, spelled in
            let (part, subject, combinations) = choice
            guard part.takes(recording: id), part.takes(score),
              part.takes(condition.condition, of: entry)
            else { return [Cell]() }
            return combinations.map { settings in
              Cell(
                entry, recordingDigest: digest, condition: condition, score: score,
                settings: settings, subject: subject, metrics: metrics, spelled: spelled)
            }
          }
        }
      }
    }
    guard !cells.isEmpty else {
      throw Refusal("the plan '\(name)' has no cells; add recordings, scores or values of settings")
    }
    // Two entries for one subject may overlap.
    var seen: Set<String> = []
    return cells.filter { seen.insert($0.key).inserted }
  }

  private func checked(
    _ combinations: [SubjectSettings], _ choice: SubjectChoice, _ subject: any Subject
  ) throws -> [SubjectSettings] {
    let scores = scores.filter(choice.takes)
    for combination in combinations {
      let own = combination.filter { $0.key != Cell.rateSetting }
      for score in scores { try subject.validate(own, for: score) }
      guard let rate = combination[Cell.rateSetting] else { continue }
      guard let rateHz = rate.number, 8000...192_000 ~= rateHz else {
        throw Refusal(name, "\(Cell.rateSetting) is \(rate); choose 8000 to 192000")
      }
    }
    return combinations
  }

  /// Refuses a setting that no subject has.
  private func refuseUnusedSettings(
    _ subjects: [any Subject], _ combinations: [SubjectSettings]
  ) throws {
    for axis in settings.axes where !combinations.contains(where: { $0[axis.name] != nil }) {
      guard let value = axis.values.first, !combinations.isEmpty else { continue }
      // The error of a single subject lists the settings that it has.
      if let subject = subjects.first, let score = scores.first {
        try subject.validate([axis.name: value], for: score)
      }
      throw Refusal(name, "no subject of the plan has the setting '\(axis.name)'; remove it")
    }
  }
}
