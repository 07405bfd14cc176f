import ArgumentParser
import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// Measures what the judges of a run cost, in the processor time of this thread.
///
/// Cells are judged as in a run: metrics in their order, and what several share is computed by the
/// first that asks. Prints a line for each stage: its name and its milliseconds per second of one
/// voice, separated by a tab.
struct JudgeCost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judges", abstract: "Measure what each metric costs in the cells of a plan.")

  @Argument(help: "A plan.", completion: .file(extensions: ["yaml"])) var plan: String

  func run() async throws {
    let (plan, corpus, work) = try CellWork.reading(plan)
    var stages: [(name: String, seconds: Double)] = []
    func note(_ name: String, _ seconds: Double) {
      if let known = stages.firstIndex(where: { $0.name == name }) {
        stages[known].seconds += seconds
      } else {
        stages.append((name, seconds))
      }
    }
    var voiceSeconds = 0.0
    for cell in try plan.cells(in: corpus) {
      let before = work.spentSeconds
      let observation = try await work.observe(cell)
      let after = work.spentSeconds
      note("rendering", after.subject - before.subject)
      note("alignment, targets, oracle", after.judges - before.judges)
      voiceSeconds += observation.heard.durationSeconds * Double(observation.voices.count)
      for metric in cell.metrics.ofRenderings {
        let start = ThreadClock.seconds
        _ = metric.results(of: observation, on: observation.kind(under: cell.condition))
        note(metric.id, ThreadClock.seconds - start)
      }
    }
    for stage in stages {
      print("\(stage.name)\t\(stage.seconds / voiceSeconds * 1000)")
    }
  }
}
