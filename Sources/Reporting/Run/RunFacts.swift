import Corpus
import Files
import Subjects
import Sweep
import Tuning

/// The facts of a run that all sections of its page share.
struct RunFacts: Sendable {
  /// One way to set one subject.
  struct Choice: Hashable, Sendable {
    var subject: String
    var settings: SubjectSettings
  }

  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  /// Command line that remakes the page.
  let command: String
  /// Options that make other commands find the run: its name, store and corpus.
  let runOptions: String
  /// Summaries of all settings, with the figures of a few metrics only.
  let summaries: [SettingSummary]
  /// Facts of the recordings that the corpus has.
  let recordingFacts: [Tuner.Fact]
  /// The answer of `tune` for the run, without budgets.
  let answer: TuneAnswer
  let baseline: EarlierRun?

  /// The recommended setting, by the rule of `tune`; `nil` if none has a value on every axis.
  let choice: Choice?
  /// Its cells, with all metrics.
  let chosenCells: [CellResult]
  /// Its summaries, with the figures of every metric.
  let chosenSummaries: [SettingSummary]
  let undefined: [UndefinedCount]
  /// Names of the settings that differ between cells; all names if none differs.
  let varied: [String]

  init(
    _ run: StoredRun, in store: ResultStore, corpus: Corpus, command: String,
    options: String = "", baseline: EarlierRun? = nil
  ) throws {
    (self.run, self.store, self.corpus) = (run, store, corpus)
    (self.command, self.baseline) = (command, baseline)
    runOptions = "--run \(run.plan.name)" + (options.isEmpty ? "" : " \(options)")
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

  /// Summaries of the recommended setting in the clean condition, one for each score.
  var cleanSummaries: [SettingSummary] { chosenSummaries.filter { $0.condition == "clean" } }

  /// Describes a setting by what differs from the others: `window 20 ms, crossfade 5 ms`.
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

  /// True if the choice is the subject's default for its engine.
  func isDefault(_ choice: Choice) -> Bool {
    guard choice.subject == ReferenceSubject().id,
      let chosen = try? ChoirEngine.chosen(by: choice.settings),
      let standard = try? ChoirEngine.chosen(by: choice.settings.filter { $0.key == "engine" })
    else { return false }
    return chosen.engine == standard.engine && chosen.others.isEmpty
  }

  /// Summaries of some cells with the figures of every metric, under all conditions.
  func detailed(_ cells: [CellResult]) throws -> [SettingSummary] {
    run.with(try store.detailed(cells)).summaries()
  }

  /// True if the plan keeps the cell's sound and pitch.
  func isListenedTo(_ cell: CellResult) -> Bool {
    run.plan.listen?.contains(cell.recording) ?? false
  }

  /// Cells of recorded and synthetic voices, without probes.
  var voiceCells: [CellResult] { run.cells.filter { $0.kind != "probe" } }
}

extension RunFacts.Choice {
  init(_ cell: CellResult) { self.init(subject: cell.subject, settings: cell.settings) }
  init(_ summary: SettingSummary) {
    self.init(subject: summary.subject, settings: summary.settings)
  }
}

extension StoredRun {
  /// Returns the run with some of its cells only.
  func with(_ cells: [CellResult]) -> StoredRun {
    var run = self
    run.cells = cells
    return run
  }
}
