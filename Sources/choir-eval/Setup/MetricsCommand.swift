import ArgumentParser
import Evaluation

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Say what is measured: units, directions, and when a metric is defined.",
    subcommands: [List.self, Show.self, Page.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Every metric, family by family.",
      discussion: "A plan chooses families or metrics by these names: metrics: [pitch, words]")

    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      if json {
        print(try JSON.text(MetricsText(metrics: MetricText.all)))
        return
      }
      let families =
        MetricFamily.all.map { ($0.title, MetricText.of($0)) }
        + [("Of two sounds alone", MetricText.ofSounds)]
      let tables = families.map { title, metrics in
        var table = TextTable(header: ["metric", "unit", "better", "what it is"])
        table.rows = metrics.map { [$0.id, $0.unit, $0.better, $0.summary] }
        return "\(metrics[0].family): \(title)\n\n\(table.text())"
      }
      print(tables.joined(separator: "\n\n"))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "One metric, with when it is defined.")

    @Argument(help: "Of a metric or a family.", completion: .metrics) var id: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let found = MetricText.all.filter { $0.id == id || $0.family == id }
      guard !found.isEmpty else {
        throw ValidationError("There is no metric '\(id)'; see choir-eval metrics list.")
      }
      print(
        json
          ? try JSON.text(MetricsText(metrics: found))
          : found.map(\.words).joined(separator: "\n\n"))
    }
  }

  struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The page of all metrics, in Markdown: docs/metrics.md.")

    func run() { print(MetricPage.markdown, terminator: "") }
  }
}

private struct MetricsText: Encodable {
  var schema = "choir-eval.metrics/1"
  var metrics: [MetricText]
}

/// A metric as `--json` prints it.
private struct MetricText: Encodable {
  var id: String
  var family: String
  var version: Int
  var unit: String
  var better: String
  var summary: String
  var domain: String

  static var all: [MetricText] { MetricFamily.all.flatMap(of) + ofSounds }

  /// Of `compare` alone, which is no family of a plan.
  static var ofSounds: [MetricText] {
    PairMetric.ofSoundsOnly.map { metric, figure, inRuns in
      MetricText(
        id: figure.id, family: "compare", version: 1, unit: figure.unit,
        better: figure.direction.rawValue, summary: figure.summary,
        domain: "\(metric.domain); of two sounds, not in runs, which have \(inRuns)")
    }
  }

  static func of(_ family: MetricFamily) -> [MetricText] {
    family.metrics.map {
      MetricText(
        id: $0.id, family: family.id, version: $0.version, unit: $0.unit,
        better: $0.direction.rawValue, summary: $0.summary, domain: $0.domain)
    }
  }

  var words: String {
    """
    \(id) (version \(version), family \(family))
      \(summary)
      unit     \(unit)
      better   \(better)
      defined  \(domain)
    """
  }
}
