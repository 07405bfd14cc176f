import ArgumentParser
import Evaluation
import Foundation

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render and measure every cell of a plan.",
    discussion: """
      A plan names recordings, scores and settings to try; Corpus/plans has examples. Each
      combination is a cell. Cells that the store already has are not computed again, so a run
      that was killed goes on where it was, and a second run has nothing to do.
      """)

  @Argument(help: "YAML file.") var plan: String
  @OptionGroup var places: Places
  @Option(help: "Cells at work at once.") var jobs = ProcessInfo.processInfo.activeProcessorCount
  @Flag(help: "Count the cells and stop.") var dryRun = false
  @Flag(help: "Print the summary as JSON.") var json = false

  func validate() throws {
    guard jobs >= 1 else { throw ValidationError("--jobs is \(jobs); choose 1 or more.") }
  }

  func run() async throws {
    let plan = try Plan(reading: URL(fileURLWithPath: plan))
    let corpus = try Corpus(folder: places.corpusFolder)
    let store = try ResultStore(places.storeFile)
    let sweep = try Sweep(plan, corpus: corpus, store: store)
    if dryRun {
      let pending = try sweep.pending().count
      print(Self.size(of: sweep))
      print("\(sweep.cells.count) cells, \(sweep.cells.count - pending) stored, \(pending) to do")
      return
    }
    Terminal.write(Self.size(of: sweep) + "\n")
    let progress = SweepProgress()
    let outcome = try await sweep.run(jobs: jobs) { progress.show($0) }
    let run = try store.run(named: plan.name)
    if json {
      print(try RunSummaryText.json(run))
    } else {
      print(RunSummaryText.table(run))
      print(Self.closing(outcome, plan))
    }
    guard outcome.failed.isEmpty else {
      for failure in outcome.failed.prefix(10) { Terminal.printError(failure) }
      if outcome.failed.count > 10 { Terminal.printError("and \(outcome.failed.count - 10) more") }
      throw ExitCode(2)
    }
  }

  /// How many cells there are, and of what.
  private static func size(of sweep: Sweep) -> String {
    let plan = sweep.plan
    let axes = plan.settings.axes.map { "\($0.values.count) of \($0.name)" }
    let settings = axes.isEmpty ? "" : " (\(axes.joined(separator: " × ")))"
    return "\(sweep.cells.count) cells: \(plan.recordings.count) recordings × "
      + "\(plan.conditions?.count ?? 1) conditions × \(plan.scores.count) scores × "
      + "\(plan.combinations().count) settings\(settings)"
  }

  private static func closing(_ outcome: Sweep.Outcome, _ plan: Plan) -> String {
    let work =
      outcome.computed == 0
      ? "nothing to compute: all \(outcome.total) cells were stored"
      : "\(outcome.computed) of \(outcome.total) cells computed, \(outcome.stored) were stored"
    return "\n\(work). See and hear them: choir-eval report \(plan.name)"
  }
}

/// Turns events, which come from several threads one at a time, into a bar.
private final class SweepProgress: @unchecked Sendable {
  private var bar: ProgressBar?

  func show(_ event: Sweep.Event) {
    switch event {
    case .began(let total, let stored):
      if stored > 0 { Terminal.write("\(stored) of \(total) cells were stored\n") }
      bar = ProgressBar(total: total - stored)
    case .finished(let cell, _):
      bar?.advance(to: cell.label)
    }
  }
}
