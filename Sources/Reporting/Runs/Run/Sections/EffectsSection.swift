import Corpus
import Effects
import Statistics
import Subjects
import Sweep

/// The change that each link of a chain makes, and the best order of effects.
struct EffectsSection {
  let facts: RunFacts

  /// Metrics of the tables, with the factor to the unit shown.
  private static let axes:
    [(metric: String, title: String, unit: String, factor: Double, style: NumberStyle)] = [
      ("latency.onset", "latency", "ms", 1, .decimals(2)),
      ("latency.reported", "stated latency", "ms", 1, .decimals(2)),
      ("cpu.realtime_factor", "cost", "% of a core", 100, .significant(2)),
      ("pitch.abs_error", "pitch error", "cents", 1, .decimals(1)),
      ("envelope.lsd", "envelope", "dB", 1, .decimals(2)),
      ("intelligibility.estoi", "ESTOI", "", 1, .decimals(3)),
    ]

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
    guard !tables.isEmpty else { return nil }
    return Section(
      id: "effects", title: "Effect chains",
      intro: "Each chain is compared with the same chain without the link, on the same cells.",
      tables: tables)
  }

  /// The links of a chain in order, in their canonical spelling; empty for a chain with branches.
  private static func links(_ chain: EffectChain) -> [String] {
    let links = chain.stages.compactMap { stage -> String? in
      if case .link = stage { EffectChain([stage]).description } else { nil }
    }
    return links.count == chain.stages.count ? links : []
  }

  private typealias Chain = (text: String, links: [String])

  private func value(_ cell: CellResult, _ metric: String) -> Double? {
    cell.value(metric) ?? cell.mean(metric)
  }

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
            guard let after = value(cell, axis.metric), let before = value(other, axis.metric)
            else { continue }
            changes[link, default: [:]][axis.metric, default: []].append(
              (after - before) * axis.factor)
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
        ) { Statistics.median(changes[$0]![axis.metric] ?? []) }
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
    let damage = "envelope.lsd"
    func figure(_ chain: Chain, _ metric: String) -> Double? {
      Statistics.median(cells[chain.text]!.values.compactMap { value($0, metric) })
    }
    typealias Ordered = (chain: Chain, damage: Double)
    let found = sets.values.compactMap { orders -> (best: Ordered, worst: Ordered)? in
      let known: [Ordered] = orders.compactMap { chain in
        figure(chain, damage).map { (chain, $0) }
      }.sorted { $0.damage < $1.damage }
      guard let best = known.first, let worst = known.last, known.count > 1 else { return nil }
      return (best, worst)
    }.sorted { $0.worst.damage - $0.best.damage > $1.worst.damage - $1.best.damage }
    let (decimals, unclear) = (NumberStyle.decimals(2), "no clear onsets")
    let fields: [Table.Field<(best: Ordered, worst: Ordered)>] = [
      .text("best", "best order") { $0.best.chain.text },
      .number("best_db", "envelope", unit: "dB", style: decimals) { $0.best.damage },
      .text("worst", "worst order") { $0.worst.chain.text },
      .number("worst_db", "envelope", unit: "dB", style: decimals) { $0.worst.damage },
      .number(
        "best_latency_ms", "latency", unit: "ms", style: .decimals(1), otherwise: unclear
      ) { figure($0.best.chain, "latency.onset") },
      .number(
        "worst_latency_ms", "latency", unit: "ms", style: .decimals(1), otherwise: unclear
      ) { figure($0.worst.chain, "latency.onset") },
    ]
    var table = Table(
      id: "effects-orders", title: "Effect of the order", of: found, fields,
      note: "The same effects in different orders; envelope: distance from the target's envelope.")
    table.maxShown = 10
    return table
  }
}
