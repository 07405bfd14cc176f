import Corpus
import Platform
import Statistics
import Subjects
import Sweep
import Tuning

/// The facts of a run that all sections of its page share.
struct RunFacts: Sendable {
  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  /// Command line that remakes the page.
  let command: String
  /// Options that make other commands find the run: its name, store and corpus.
  let runOptions: String
  let recommendation: Recommendation
  let baseline: EarlierRun?

  /// Summaries of the recommended setting, with the figures of every metric.
  let chosenSummaries: [SettingSummary]
  let undefined: [UndefinedCount]

  init(
    _ run: StoredRun, in store: ResultStore, corpus: Corpus, command: String,
    options: String = "", baseline: EarlierRun? = nil, goal: TuneGoal = TuneGoal()
  ) throws {
    (self.run, self.store, self.corpus) = (run, store, corpus)
    (self.command, self.baseline) = (command, baseline)
    runOptions = "--run \(run.plan.name)" + (options.isEmpty ? "" : " \(options)")
    recommendation = try Recommendation(of: run, in: store, corpus: corpus, goal: goal)
    chosenSummaries = run.with(recommendation.cells).summaries()
    undefined = try store.undefinedCounts(ofRun: run.plan.name)
  }

  var summaries: [SettingSummary] { recommendation.summaries }
  var recordingFacts: [Tuner.Fact] { recommendation.facts }
  var answer: TuneAnswer { recommendation.answer }
  /// All settings, the lowest total first.
  var pointsByTotal: [TuneAnswer.Point] {
    answer.points.sorted { ($0.distance ?? .infinity) < ($1.distance ?? .infinity) }
  }
  var choice: SettingChoice? { recommendation.choice }
  var chosenCells: [CellResult] { recommendation.cells }
  var varied: [String] { recommendation.varied }

  /// Summaries of the recommended setting in the clean condition, one for each score.
  var cleanSummaries: [SettingSummary] { chosenSummaries.filter { $0.condition == "clean" } }

  func text(_ choice: SettingChoice) -> String { recommendation.text(choice) }

  func text(_ point: TuneAnswer.Point) -> String { text(SettingChoice(point)) }

  /// Summaries of some cells with the figures of every metric, under all conditions.
  func detailed(_ cells: [CellResult]) throws -> [SettingSummary] {
    run.with(try store.detailed(cells)).summaries()
  }

  /// True if the plan keeps the cell's sound and pitch.
  func isListenedTo(_ cell: CellResult) -> Bool {
    run.plan.listen?.contains(cell.recording) ?? false
  }

  /// Cells of recorded and synthetic voices, without probes.
  var voiceCells: [CellResult] { run.cells.filter { !$0.isProbe } }
}

extension StoredRun {
  /// Returns the run with some of its cells only.
  func with(_ cells: [CellResult]) -> StoredRun {
    var run = self
    run.cells = cells
    return run
  }
}

extension CellResult {
  /// Mean of a metric over the voices that have a value.
  func mean(_ metric: String) -> Double? { Statistics.mean(perVoice(metric)) }

  func worst(_ metric: String) -> Double? { perVoice(metric).max() }

  private func perVoice(_ metric: String) -> [Double] {
    (0..<score.voiceCount).compactMap { value(metric, voice: $0) }
  }
}
