import CommandSupport
import Gate
import Metrics
import Reporting
import Subjects

/// The noise of a baseline for a terminal: whether the subject is random, and what the gate can find.
struct NoiseText {
  private let noise: GateNoise
  private let families: [FamilyReach]

  init(_ noise: GateNoise, of baseline: Baseline, gate: Gate, cells: [ComparedCell]) {
    self.noise = noise
    families = FamilyReach.all(of: baseline, noise, gate: gate, cells: cells)
  }

  func text() -> String { "\(headline)\n\n\(table)\n" }

  private var headline: String {
    let kind =
      noise.isRandom
      ? "random: \(noise.differingFigures) figures differ between two equal runs"
      : "deterministic: two equal runs are identical"
    return "The subject is \(kind). Its noise was measured under \(noise.perturbations) inaudible "
      + "changes of the input.\n\nThe gate finds these changes in 95 of 100 runs:"
  }

  /// A row for each family: the smallest change, by the metric that shows it best, and the largest that
  /// noise hides.
  private var table: String {
    var table = TextTable(header: ["family", "finds", "by", "in the noisiest figure"])
    table.textColumns = [1, 3]
    for reach in families {
      switch reach.content {
      case .compared(let metrics):
        let best = metrics.min { $0.typical / $0.minimumEffect < $1.typical / $1.minimumEffect }!
        table.rows.append([
          reach.family.title, amount(best.typical, best.metric), best.metric,
          noisiest(metrics[0]),
        ])
      case .notCompared(let reason):
        table.rows.append([reach.family.title, "not compared", "", reason])
      }
    }
    return table.text()
  }

  private func noisiest(_ reach: NoiseReach) -> String {
    let key = reach.noisiest
    let place = [key.figure.voice, key.score, key.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    return "\(amount(reach.detectable, reach.metric)) by \(reach.metric), \(place)"
  }

  private func amount(_ value: Double, _ metric: String) -> String {
    "\(NumberStyle.significant(2).text(value)) \(Metric.metric(id: metric)?.unit ?? "")"
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
