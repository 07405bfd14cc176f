import Metrics
import Statistics
import Sweep

/// How well a metric orders the choirs of each clip as the listeners do.
package struct MetricAgreement: Codable, Equatable, Sendable {
  package var metric: String
  /// Mean over clips of Spearman's correlation of the systems' scores with the metric, turned so that
  /// 1 is the order of the listeners.
  package var agreement: Double
  /// The lowest and the highest of a clip.
  package var range: ClosedRange<Double>
  /// Number of clips with at least three systems that have a value.
  package var clips: Int

  /// Smallest number of systems whose order tells anything.
  private static let minSystems = 3

  /// Returns the agreement of each metric of a run that has a better direction, the highest first.
  package static func all(
    of pooled: PooledAnswers, to test: ListeningTest, in run: StoredRun
  ) -> [MetricAgreement] {
    let cells = Dictionary(run.cells.map { ($0.key, $0) }) { first, _ in first }
    let silent = Set(
      MetricFamily.all.filter { ["cost", "contract"].contains($0.id) }.flatMap(\.metrics).map(\.id))
    return Metric.all.compactMap { metric -> MetricAgreement? in
      // Nobody hears what a choir costs, or what its author says of it.
      guard !silent.contains(metric.id), !metric.id.hasPrefix("latency.report") else { return nil }
      var correlations: [Double] = []
      for clip in test.clips.indices {
        let known = test.stimuli.compactMap { stimulus -> (score: Double, loss: Double)? in
          guard stimulus.clip == clip, let system = stimulus.system,
            let score = pooled.byClip[system][clip], let key = stimulus.cell, let cell = cells[key]
          else { return nil }
          return loss(of: cell, by: metric).map { (score, $0) }
        }
        guard known.count >= minSystems,
          let correlation = Statistics.spearman(known.map(\.score), known.map { -$0.loss })
        else { continue }
        correlations.append(correlation)
      }
      guard let mean = Statistics.mean(correlations) else { return nil }
      return MetricAgreement(
        metric: metric.id, agreement: mean, range: correlations.min()!...correlations.max()!,
        clips: correlations.count)
    }.sorted { ($1.agreement, $0.metric) < ($0.agreement, $1.metric) }
  }

  /// The agreement that one of twenty metrics reaches by chance.
  ///
  /// - Source: the variance of Spearman's correlation of unrelated lists, 1 / (n − 1).
  package static func byChance(systems: Int, clips: Int) -> Double {
    min(1, 1.645 / Double(max(1, (systems - 1) * clips)).squareRoot())
  }

  /// Mean over voices of how far a cell is from the metric's ideal; `nil` without a value or an ideal.
  private static func loss(of cell: CellResult, by metric: Metric) -> Double? {
    let losses = cell.measurements(of: metric.id).compactMap { result -> Double? in
      guard let value = result.outcome.number else { return nil }
      return metric.loss(value)
    }
    return losses.isEmpty ? nil : Statistics.mean(losses)
  }
}
