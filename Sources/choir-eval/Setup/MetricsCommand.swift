import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Metrics
import Platform
import Reporting

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Describe the metrics: unit, direction, and when each is defined.",
    discussion: """
      Use it to choose what a plan measures, and to read a report. A metric of your own is a .yaml \
      file; docs/reference/metrics.md#your-own-metric shows how to write one.

        choir-eval metrics list
        choir-eval metrics show pitch.abs_error.p95
      """,
    subcommands: [List.self, Show.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List every metric, family by family.",
      discussion: """
        A plan chooses families or metrics by these names, for example metrics: [pitch, words].

          choir-eval metrics list
        """)

    @Argument(help: ".yaml files of your own metrics, to list them too.", completion: .yaml)
    var files: [String] = []
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      for file in files { try OwnMetric(reading: URL(fileURLWithPath: file)).register() }
      if json {
        print(try MetricText.json(MetricText.all))
        return
      }
      let families =
        MetricFamily.all.map { ($0.title, MetricText.of($0)) }
        + [("Two sounds, without a run", MetricText.ofSounds)]
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
      abstract: "Show one metric or family, and when it is defined.",
      discussion: """
        Use it to find out why a value is missing.

          choir-eval metrics show formant.ratio
          choir-eval metrics show examples/own-metric/word-errors.yaml
        """)

    @Argument(
      help: "Id of a metric or a family, or the .yaml file of your own metric.",
      completion: .metrics)
    var name: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      var id = name
      if name.hasSuffix(".yaml") {
        let own = try OwnMetric(reading: URL(fileURLWithPath: name))
        own.register()
        id = own.id
      }
      let found = MetricText.all.filter { $0.id == id || $0.family == id }
      guard !found.isEmpty else {
        throw ValidationError("\(Metric.unknown(id, orFamily: true)).")
      }
      print(json ? try MetricText.json(found) : found.map(\.words).joined(separator: "\n\n"))
    }
  }
}

/// A metric in the output of `--json`.
private struct MetricText: Encodable {
  var id: String
  var family: String
  var version: Int
  var unit: String
  var better: String
  var summary: String
  var domain: String
  /// The smallest change that counts, in the metric's unit; `nil` if no comparison judges it.
  var minimumEffect: Double?

  /// - Returns: the metrics with the digest of the judges' settings; a gate compares only sides with the
  ///   same.
  static func json(_ metrics: [MetricText]) throws -> String {
    try JSON.text(
      [
        "schema": "choir-eval.metrics/1", "metrics": metrics,
        "judges": Baseline.Provenance.judgesNow,
      ] as JSONObject)
  }

  static var all: [MetricText] { MetricFamily.all.flatMap(of) + ofSounds }

  /// Metrics of `compare` alone, which form no family of a plan.
  static var ofSounds: [MetricText] {
    PairMetric.ofSoundsOnly.map { metric, figure, inRuns in
      MetricText(
        id: figure.id, family: "compare", version: 1, unit: figure.unit,
        better: figure.direction.rawValue, summary: figure.summary,
        domain: "\(metric.domain); for two sounds only: runs have \(inRuns)")
    }
  }

  static func of(_ family: MetricFamily) -> [MetricText] {
    family.metrics.map {
      MetricText(
        id: $0.id, family: family.id, version: $0.version, unit: $0.unit,
        better: $0.direction.rawValue, summary: $0.summary, domain: $0.domain,
        minimumEffect: $0.minimumEffect)
    }
  }

  var words: String {
    let effect = minimumEffect.map { NumberStyle.significant(3).text($0) + " \(unit)" }
    return """
      \(id) (version \(version), family \(family))
        \(summary)
        unit     \(unit)
        better   \(better)
        defined  \(domain)
        effect   \(effect.map { "a change matters from \($0)" } ?? "not compared")
      """
  }
}
