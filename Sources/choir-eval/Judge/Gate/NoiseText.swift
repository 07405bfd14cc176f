import CommandSupport
import Gate
import Metrics
import Reporting
import Subjects

/// The noise of a baseline for a terminal: whether the subject is random, and what noise costs in
/// power.
struct NoiseText {
  private let noise: GateNoise
  private let reach: [NoiseReach]

  init(_ noise: GateNoise, of baseline: Baseline, gate: Gate) {
    self.noise = noise
    reach = NoiseReach.all(of: baseline, noise, gate: gate)
  }

  func text() -> String {
    [headline, table].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private var headline: String {
    let kind =
      noise.isRandom
      ? "random: \(noise.differingFigures) figures differ between two equal runs"
      : "deterministic: two equal runs are identical"
    return "The subject is \(kind). Its noise was measured under \(noise.perturbations) inaudible "
      + "changes of the input."
  }

  /// The metrics whose noise exceeds the minimum effect, with what a gate can find.
  private var table: String {
    let loud = reach.filter { $0.detectable > 2 * $0.minimumEffect }
    guard !loud.isEmpty else {
      return "Noise hides no change of twice the minimum effect in any figure."
    }
    var table = TextTable(header: [
      "metric", "minimum effect", "median", "noisiest", "unit", "the noisiest figure",
    ])
    let number = NumberStyle.significant(3)
    for row in loud.prefix(20) {
      table.rows.append([
        row.metric, number.text(row.minimumEffect), number.text(row.typical),
        number.text(row.detectable), Metric.metric(id: row.metric)?.unit ?? "",
        [row.noisiest.figure.voice, row.noisiest.score, row.noisiest.configuration]
          .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · "),
      ])
    }
    let more = loud.count > 20 ? "\n… and \(loud.count - 20) more" : ""
    return "Noise hides changes smaller than these, in the median and the noisiest figure:\n"
      + table.text() + more
  }
}

extension GateRun {
  /// Measures the subject under each perturbation, with a progress bar.
  func takes(_ perturbations: [Perturbation]) async throws -> [MeasuredRun] {
    var runs: [MeasuredRun] = []
    for (index, perturbation) in perturbations.enumerated() {
      Terminal.progress("inaudible change \(index + 1) of \(perturbations.count)\n")
      runs.append(
        try await Interruption.measuring { stop, report in
          try await measureOnce(under: perturbation, stop: stop, report: report)
        })
    }
    return runs
  }
}
