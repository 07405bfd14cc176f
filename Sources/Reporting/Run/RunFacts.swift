import Analyzer
import Evaluation

/// What all sections of a run's page look at: worked out once.
struct RunFacts: Sendable {
  /// One way to set one subject.
  struct Choice: Hashable, Sendable {
    var subject: String
    var settings: SubjectSettings
  }

  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  /// That remakes the page.
  let command: String
  /// Without a figure of every metric.
  let summaries: [SettingSummary]
  /// Of each recording, as far as the corpus has it.
  let recordingFacts: [Tuner.Fact]
  /// What `tune` says of the run, asked without budgets.
  let answer: TuneAnswer
  let baseline: EarlierRun?

  /// The setting to ship, by the rule of `tune`; `nil` where none has all figures.
  let choice: Choice?
  /// Its cells, with all metrics.
  let chosenCells: [CellResult]
  /// Its summaries, with a figure of every metric.
  let chosenSummaries: [SettingSummary]
  let undefined: [UndefinedCount]
  /// Of the settings, those that differ between cells; all where none does.
  let varied: [String]

  init(
    _ run: StoredRun, in store: ResultStore, corpus: Corpus, command: String,
    baseline: EarlierRun? = nil
  ) throws {
    (self.run, self.store, self.corpus) = (run, store, corpus)
    (self.command, self.baseline) = (command, baseline)
    summaries = run.summaries(detailed: false)
    let recordings = run.cells.map(\.recording).uniqued()
    let facts = try corpus.facts(of: recordings.filter { id in (try? corpus.entry(id: id)) != nil })
    recordingFacts = facts
    let answer = try Tuner(TuneGoal(), facts: facts).answer(for: run.cells)
    self.answer = answer
    let chosen = answer.best.map { answer.points[$0] }
      .map { Choice(subject: $0.subject, settings: $0.settings) }
    choice = chosen
    chosenCells = try store.detailed(run.cells.filter { Choice($0) == chosen })
    chosenSummaries = run.with(chosenCells).summaries()
    undefined = try store.undefinedCounts(ofRun: run.plan.name)
    varied = Self.varied(run.plan.axisNames, summaries)
  }

  private static func varied(_ names: [String], _ summaries: [SettingSummary]) -> [String] {
    let varied = names.filter { name in Set(summaries.map { $0.choice(of: name) }).count > 1 }
    return varied.isEmpty ? names : varied
  }

  /// Of the setting to ship, heard clean; one for each score.
  var cleanSummaries: [SettingSummary] { chosenSummaries.filter { $0.condition == "clean" } }

  /// A setting in words, as far as it differs from others: `window 20 ms, crossfade 5 ms`.
  func words(_ choice: Choice) -> String {
    varied.compactMap { name -> String? in
      if name == SettingSummary.subjectAxis { return choice.subject }
      guard let value = choice.settings[name] else { return nil }
      switch name {
      case "engine", "effects": return value.description
      case _ where name.hasSuffix("Ms"): return "\(name.dropLast(2)) \(value) ms"
      case _ where name.hasSuffix("Hz"): return "\(name.dropLast(2)) \(value) Hz"
      default: return "\(name) \(value)"
      }
    }.joined(separator: ", ")
  }

  func words(_ point: TuneAnswer.Point) -> String {
    words(Choice(subject: point.subject, settings: point.settings))
  }

  /// Whether it is how the subject behaves when nobody sets anything but the engine.
  func isDefault(_ choice: Choice) -> Bool {
    guard choice.subject == ReferenceSubject().id,
      let chosen = try? ChoirEngine.chosen(by: choice.settings),
      let usual = try? ChoirEngine.chosen(by: choice.settings.filter { $0.key == "engine" })
    else { return false }
    return chosen.engine == usual.engine && chosen.others.isEmpty
  }

  /// A figure of every metric, under all conditions, of some cells.
  func detailed(_ cells: [CellResult]) throws -> [SettingSummary] {
    run.with(try store.detailed(cells)).summaries()
  }

  /// Whether the plan keeps its sound and pitch.
  func isListenedTo(_ cell: CellResult) -> Bool {
    run.plan.listen?.contains(cell.recording) ?? false
  }

  /// Recordings of voices.
  var voiceCells: [CellResult] { run.cells.filter { $0.kind != "probe" } }
}

extension RunFacts.Choice {
  init(_ cell: CellResult) { self.init(subject: cell.subject, settings: cell.settings) }
  init(_ summary: SettingSummary) {
    self.init(subject: summary.subject, settings: summary.settings)
  }
}

extension StoredRun {
  /// The same run, as far as some of its cells tell.
  func with(_ cells: [CellResult]) -> StoredRun {
    var run = self
    run.cells = cells
    return run
  }
}

extension Sequence where Element: Hashable {
  /// Each once, in order of appearance.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
