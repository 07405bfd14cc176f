import Corpus
import Metrics
import Statistics
import Subjects
import Sweep

/// The cost of voices: for each engine and chain, and for blocks against their deadline.
struct CostSection {
  let facts: RunFacts

  func section() -> Section? {
    let tables = [engines, figures].compactMap(\.self)
    guard !tables.isEmpty else { return nil }
    let care = facts.run.plan.cost ?? .quick
    return Section(
      id: "cost", title: "Cost",
      intro: care == .careful
        ? "Each cell was timed in several rounds, one cell at a time on an idle machine."
        : "Each cell was timed once, while other cells were running: compare these values, but don't "
          + "quote them as absolute costs.",
      tables: tables)
  }

  /// A kind of cells with about the same cost: the settings of one engine hardly differ.
  private struct Kind: Hashable {
    var subject: String
    var engine: String
    var voices: Int
    var effects: String
  }

  private var engines: Table? {
    var values: [Kind: [Double]] = [:]
    var order: [Kind] = []
    for cell in facts.voiceCells {
      guard let factor = cell.value("cpu.realtime_factor") else { continue }
      let kind = Kind(
        subject: cell.subject, engine: cell.settings["engine"]?.description ?? "",
        voices: cell.score.voiceCount, effects: cell.settings["effects"]?.description ?? "dry")
      if values[kind] == nil { order.append(kind) }
      values[kind, default: []].append(factor)
    }
    guard !order.isEmpty else { return nil }
    let rows = order.map { ($0, values[$0]!, Statistics.median(values[$0]!)!) }
    let share = NumberStyle.significant(2)
    let fields: [Table.Field<(kind: Kind, values: [Double], median: Double)>] = [
      .text("subject", "subject") { $0.kind.subject }, .text("engine", "engine") { $0.kind.engine },
      .text("effects", "effects") { $0.kind.effects }, .count("voices") { $0.kind.voices },
      .number("cost_percent", "median", unit: "%", style: share) { $0.median * 100 },
      .number("p95_percent", "p95 of cells", unit: "%", style: share) {
        Statistics.quantile($0.values, 0.95).map { $0 * 100 }
      },
      .number("voice_percent", "per voice", unit: "%", style: share) {
        $0.median * 100 / Double(max(1, $0.kind.voices))
      },
      .number(
        "faster_than_real_time", "faster than real time", unit: "×", style: share,
        otherwise: "too little to measure"
      ) { $0.median > 0 ? 1 / $0.median : nil }, .count("cells") { $0.values.count },
    ]
    return Table(
      id: "cost-engines", title: "Share of a core", of: rows, fields,
      note: "Processor time of all voices divided by the duration of the sound.", maxShown: 12)
  }

  /// The other metrics of cost at the recommended setting.
  private var figures: Table? {
    let metrics = MetricFamily.all.first { $0.id == "cost" }?.metrics ?? []
    let rows = metrics.filter { $0.id != "cpu.realtime_factor" }.map { metric in
      (
        metric: metric,
        values: facts.chosenCells.flatMap { cell in
          cell.measurements(of: metric.id).compactMap(\.outcome.number)
        }
      )
    }.filter { !$0.values.isEmpty }
    guard !rows.isEmpty else { return nil }
    let few = "fewer than six cells"
    let fields: [Table.Field<(metric: Metric, values: [Double])>] = [
      .text("metric", "metric") { $0.metric.id },
      .number("median", "median") { Statistics.median($0.values) },
      .number("low", "from", otherwise: few) { Statistics.medianInterval($0.values)?.lowerBound },
      .number("high", "to", otherwise: few) { Statistics.medianInterval($0.values)?.upperBound },
      .number("most", "maximum") { $0.values.max() }, .text("unit", "unit") { $0.metric.unit },
      .count("cells") { $0.values.count }, .text("summary", "meaning") { $0.metric.summary },
    ]
    return Table(
      id: "cost-figures", title: "Blocks against their deadline, at the recommended setting",
      of: rows, fields, note: "Medians over cells; from and to: 95 % interval of the median.")
  }
}
