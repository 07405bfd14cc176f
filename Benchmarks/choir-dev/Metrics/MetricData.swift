import Metrics
import Platform

/// The file docs/data/metrics.csv: all metrics of runs, and those of two sounds alone (family
/// `compare`), which runs measure in another way, under other ids, or not at all.
enum MetricData {
  static var csv: String {
    let header = ["id", "family", "version", "unit", "better", "what it is", "defined", "in runs"]
    let families = MetricFamily.all.filter { $0.id != MetricFamily.own?.id }
    return ([header] + families.flatMap(rows) + sounds).map(CSVText.record).joined()
  }

  private static func rows(of family: MetricFamily) -> [[String]] {
    family.metrics.map { metric in
      [
        metric.id, family.id, "\(metric.version)", metric.unit, metric.direction.rawValue,
        metric.summary, metric.domain, metric.id,
      ]
    }
  }

  private static var sounds: [[String]] {
    PairMetric.ofSoundsOnly.map { metric, figure, inRuns in
      [
        figure.id, "compare", "", figure.unit, figure.direction.rawValue, figure.summary,
        metric.domain, inRuns,
      ]
    }
  }
}
