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
    let rows = order.map { kind -> [Table.Cell] in
      let found = values[kind]!.sorted()
      let median = Statistics.median(found)!
      return [
        .text(kind.subject), .text(kind.engine), .text(kind.effects),
        .amount(Amount(Double(kind.voices))), .amount(Amount(median * 100)),
        .amount(Amount(Statistics.quantile(found, 0.95).map { $0 * 100 })),
        .amount(Amount(median * 100 / Double(max(1, kind.voices)))),
        .amount(Amount(median > 0 ? 1 / median : nil, otherwise: "too little to measure")),
        .amount(Amount(Double(found.count))),
      ]
    }
    var table = Table(
      id: "cost-engines", title: "Share of a core",
      columns: [
        .text("subject", "subject"), .text("engine", "engine"), .text("effects", "effects"),
        .number("voices", "voices", style: .decimals(0)),
        .number("cost_percent", "median", unit: "%", style: .significant(2)),
        .number("p95_percent", "p95 of cells", unit: "%", style: .significant(2)),
        .number("voice_percent", "per voice", unit: "%", style: .significant(2)),
        .number(
          "faster_than_real_time", "faster than real time", unit: "×", style: .significant(2)),
        .number("cells", "cells", style: .decimals(0)),
      ], rows: rows,
      note: "Processor time of all voices divided by the duration of the sound.")
    table.mostShown = 12
    return table
  }

  /// The other metrics of cost at the recommended setting.
  private var figures: Table? {
    let metrics = MetricFamily.all.first { $0.id == "cost" }?.metrics ?? []
    let rows = metrics.filter { $0.id != "cpu.realtime_factor" }.compactMap {
      metric -> [Table.Cell]? in
      let values = facts.chosenCells.flatMap { cell in
        cell.measurements(of: metric.id).compactMap { found -> Double? in
          if case .value(let value) = found.outcome { value } else { nil }
        }
      }
      guard let median = Statistics.median(values) else { return nil }
      let few = "fewer than six cells"
      let interval = Statistics.medianInterval(values)
      return [
        .text(metric.id), .amount(Amount(median)),
        .amount(Amount(interval?.lowerBound, otherwise: few)),
        .amount(Amount(interval?.upperBound, otherwise: few)),
        .amount(Amount(values.max())), .text(metric.unit), .amount(Amount(Double(values.count))),
        .text(metric.summary),
      ]
    }
    guard !rows.isEmpty else { return nil }
    return Table(
      id: "cost-figures", title: "Blocks against their deadline, at the recommended setting",
      columns: [
        .text("metric", "metric"), .number("median", "median", style: .significant(3)),
        .number("low", "from", style: .significant(3)),
        .number("high", "to", style: .significant(3)),
        .number("most", "maximum", style: .significant(3)), .text("unit", "unit"),
        .number("cells", "cells", style: .decimals(0)), .text("summary", "meaning"),
      ], rows: rows, note: "Medians over cells; from and to: 95 % interval of the median.")
  }
}
