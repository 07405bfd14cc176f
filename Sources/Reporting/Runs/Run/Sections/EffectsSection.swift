import Corpus
import Effects
import Statistics
import Subjects
import Sweep

/// Latency and cost of each chain, the change that each link makes, and the best order of effects.
struct EffectsSection {
  let facts: RunFacts

  /// Figures of the tables, in the unit shown.
  private static let axes:
    [(title: String, unit: String, style: NumberStyle, value: @Sendable (CellResult) -> Double?)] =
      [
        ("latency", "ms", .decimals(2), { $0.latencyMs }),
        ("cost", "% of a core", .significant(2), { costPercent($0) }),
        ("pitch error", "cents", .decimals(1), { $0.mean("pitch.abs_error") }),
        ("envelope", "dB", .decimals(2), { $0.mean("envelope.lsd") }),
        ("ESTOI", "", .decimals(3), { $0.mean("intelligibility.estoi") }),
      ]

  private static func costPercent(_ cell: CellResult) -> Double? {
    cell.value("cpu.realtime_factor").map { 100 * $0 }
  }

  /// The properties of a cell other than its chain.
  private struct Place: Hashable {
    var recording: String
    var condition: String
    var score: String
    var others: String
  }

  func section() -> Section? {
    guard facts.varied.contains("effects") else { return nil }
    var cells: [String: [Place: CellResult]] = [:]
    for cell in facts.voiceCells {
      guard case .measured = cell.outcome, let chain = cell.settings["effects"]?.description
      else { continue }
      let place = Place(
        recording: cell.recording, condition: cell.condition, score: cell.score.id,
        others: cell.subject + " " + cell.settings.filter { $0.key != "effects" }.canonical)
      cells[chain, default: [:]][place] = cell
    }
    let chains = cells.keys.sorted().compactMap { text in
      (try? EffectChain(parsing: text)).map { (text: text, links: Self.links($0)) }
    }.filter { !$0.links.isEmpty || $0.text == "dry" }
    let tables = [added(chains, cells), orders(chains, cells)].filter { !$0.rows.isEmpty }
    let drawing = Self.drawing(cells.mapValues { Array($0.values) }, command: facts.command)
    guard !tables.isEmpty || !drawing.plot.isEmpty else { return nil }
    return Section(
      id: "effects", title: "Effect chains",
      intro: "Each chain is compared with the same chain without the link, on the same cells.",
      drawings: [drawing], tables: tables)
  }

  /// The picture of a run in which nothing but the chain varies.
  static func lead(in sections: [Section], _ facts: RunFacts) -> ReportPage.Lead? {
    guard facts.varied.allSatisfy({ $0 == "effects" }),
      let drawing = sections.first(where: { $0.id == "effects" })?.drawings.first
    else { return nil }
    return .init(drawing: drawing.id, sounds: TradeSection.lead(in: sections)?.sounds ?? [])
  }

  /// How late light and heavy chains are: the median latency of each against its median cost.
  private static func drawing(_ cells: [String: [CellResult]], command: String) -> Drawing {
    let points = cells.sorted { $0.key < $1.key }.compactMap { chain, cells -> TradePlot.Point? in
      guard let cost = Statistics.median(cells.compactMap(costPercent)),
        let latency = Statistics.median(cells.compactMap(\.latencyMs))
      else { return nil }
      return TradePlot.Point(
        name: chain, x: cost, y: latency, role: chain == "dry" ? .default : .dominated)
    }
    return Drawing(
      id: "effects-latency", title: "Latency of light and heavy chains",
      shows:
        "A point for each chain: medians over its cells. Points at one height are equally late, however "
        + "heavy the chain.",
      omits: "Delays that a chain adds on purpose, such as echoes.", command: command,
      plot: TradePlot(
        x: Axis("cost", unit: "% of a core"), y: Axis("latency", unit: "ms", including: [0]),
        points: points))
  }

  /// The links of a chain in order, in their canonical spelling; empty for a chain with branches.
  private static func links(_ chain: EffectChain) -> [String] {
    let links = chain.stages.compactMap { stage -> String? in
      if case .link = stage { EffectChain([stage]).description } else { nil }
    }
    return links.count == chain.stages.count ? links : []
  }

  private typealias Chain = (text: String, links: [String])

  /// The change that each link makes, median over the chains that have it and their cells.
  private func added(_ chains: [Chain], _ cells: [String: [Place: CellResult]]) -> Table {
    var changes: [String: [String: [Double]]] = [:]
    var counts: [String: Int] = [:]
    for chain in chains {
      for (place, link) in chain.links.enumerated() {
        var rest = chain.links
        rest.remove(at: place)
        guard let without = chains.first(where: { $0.links == rest }) else { continue }
        counts[link, default: 0] += 1
        for (key, cell) in cells[chain.text]! {
          guard let other = cells[without.text]![key] else { continue }
          for axis in Self.axes {
            guard let after = axis.value(cell), let before = axis.value(other) else { continue }
            changes[link, default: [:]][axis.title, default: []].append(after - before)
          }
        }
      }
    }
    let fields: [Table.Field<String>] =
      [.text("link", "link") { $0 }]
      + Self.axes.map { axis in
        .titled(
          axis.title, unit: axis.unit, style: axis.style,
          otherwise: "undefined with or without the link"
        ) { Statistics.median(changes[$0]?[axis.title] ?? []) }
      } + [.count("chains") { counts[$0] ?? 0 }]
    return Table(
      id: "effects-links", title: "Change made by each link", of: changes.keys.sorted(), fields,
      note:
        "Median change over the chains that have the link and their cells. Envelope: distance from "
        + "the target's envelope. A lower ESTOI is worse.")
  }

  /// The best and the worst order of the same links, by the distance of the envelope.
  private func orders(_ chains: [Chain], _ cells: [String: [Place: CellResult]]) -> Table {
    let sets = Dictionary(grouping: chains.filter { $0.links.count > 1 }) { $0.links.sorted() }
    func median(_ chain: Chain, _ value: (CellResult) -> Double?) -> Double? {
      Statistics.median(cells[chain.text]!.values.compactMap(value))
    }
    typealias Ordered = (chain: Chain, damage: Double)
    let found = sets.values.compactMap { orders -> (best: Ordered, worst: Ordered)? in
      let known: [Ordered] = orders.compactMap { chain in
        median(chain) { $0.mean("envelope.lsd") }.map { (chain, $0) }
      }.sorted { $0.damage < $1.damage }
      guard let best = known.first, let worst = known.last, known.count > 1 else { return nil }
      return (best, worst)
    }.sorted { $0.worst.damage - $0.best.damage > $1.worst.damage - $1.best.damage }
    let (decimals, unclear) = (NumberStyle.decimals(2), "no delay is clear")
    let fields: [Table.Field<(best: Ordered, worst: Ordered)>] = [
      .text("best", "best order") { $0.best.chain.text },
      .number("best_db", "envelope", unit: "dB", style: decimals) { $0.best.damage },
      .text("worst", "worst order") { $0.worst.chain.text },
      .number("worst_db", "envelope", unit: "dB", style: decimals) { $0.worst.damage },
      .number(
        "best_latency_ms", "latency", unit: "ms", style: .decimals(1), otherwise: unclear
      ) { median($0.best.chain, \.latencyMs) },
      .number(
        "worst_latency_ms", "latency", unit: "ms", style: .decimals(1), otherwise: unclear
      ) { median($0.worst.chain, \.latencyMs) },
    ]
    return Table(
      id: "effects-orders", title: "Effect of the order", of: found, fields,
      note: "The same effects in different orders; envelope: distance from the target's envelope.",
      maxShown: 10)
  }
}
