import Gate
import Metrics
import Platform
import Subjects

/// The changes from the baseline, the gravest first.
struct ChangesSection {
  let facts: RunFacts

  func section() -> Section? {
    guard let baseline = facts.baseline else { return nil }
    let comparison = baseline.comparison
    let changed = comparison.differences.filter { $0.verdict != .withinNoise }
    let quiet = comparison.differences.count - changed.count
    var intro =
      "Compared with \(baseline.name), over \(counted(comparison.pairedCells, "cell")) that both have. "
      + "\(counted(quiet, "figure")) of \(comparison.differences.count) are within noise."
    if !comparison.missing.isEmpty {
      intro += " \(counted(comparison.missing.count, "cell")) of the baseline were not run."
    }
    if !comparison.added.isEmpty {
      intro += " \(counted(comparison.added.count, "cell")) are new."
    }
    return Section(
      id: "changes", title: "Changes", intro: intro,
      drawings: [Self.drawing(of: comparison.worstByFamily.first, command: facts.command)].filter {
        !$0.plot.isEmpty
      },
      tables: [table(changed), broken(comparison)].filter { !$0.rows.isEmpty })
  }

  /// A figure before and after, on the recordings that changed most.
  static func drawing(of changed: MetricDifference?, command: String) -> Drawing {
    let places = changed?.places ?? []
    let isShare = changed?.unit == "share"
    func shown(_ value: Double) -> Double { isShare ? 100 * value : value }
    func shown(_ takes: ClosedRange<Double>?) -> ClosedRange<Double>? {
      takes.map { shown($0.lowerBound)...shown($0.upperBound) }
    }
    // A length is read from 0 where that leaves half of the axis to the change.
    let ends = places.flatMap { [$0.baseline, $0.candidate] }.map(shown)
    let zero = 2 * (ends.min() ?? 0) < (ends.max() ?? 0) && (ends.min() ?? -1) >= 0 ? [0.0] : []
    let left = max(0, (changed?.cells ?? 0) - places.count)
    return Drawing(
      id: EarlierRun.drawing, title: "Before → now: \(changed?.name ?? "")",
      shows: changed.map { "The figure that shows the change best: \($0.reason)." } ?? "",
      omits: left > 0 ? "\(counted(left, "cell")) that changed less." : "", command: command,
      plot: ChangePlot(
        x: Axis(
          changed.flatMap { Metric.metric(id: $0.metric)?.title } ?? "",
          unit: isShare ? "%" : changed?.unit ?? "", including: zero),
        lines: places.map { place in
          .init(
            name: place.recording + (place.condition == "clean" ? "" : " · \(place.condition)"),
            before: shown(place.baseline), after: shown(place.candidate),
            beforeTakes: shown(place.baselineTakes), afterTakes: shown(place.candidateTakes))
        }))
  }

  /// Describes one change in a sentence without a full stop.
  static func words(_ one: MetricDifference) -> String { "\(one.name): \(one.sentence)" }

  private func table(_ changed: [MetricDifference]) -> Table {
    let gone = "no value on both sides"
    let fields: [Table.Field<MetricDifference>] = [
      .text("verdict", "verdict") { $0.verdict.rawValue }, .text("metric", "metric", \.metric),
      .text("voice", "voice") { $0.voice ?? "all" },
      .text("configuration", "setting", \.configuration), .cell("worst", "recording", worst),
      .number("baseline", "baseline", otherwise: gone) { $0.extreme?.baseline },
      .number("candidate", "now", otherwise: gone) { $0.extreme?.candidate },
      .text("unit", "unit", \.unit),
      .number("worsening", "worse by, mean", otherwise: gone, \.worsening),
      .number(
        "effects", "minimum effects", unit: "×", style: .significant(2), otherwise: gone, \.effects),
      .count("recordings", nil, \.recordings), .text("reason", "reason", \.reason),
    ]
    return Table(
      id: "changes-table", title: "Every figure that is not within noise", of: changed, fields,
      note: "Baseline and now are those of the recording that changed most; the mean is over all "
        + "recordings, and below 0 is better. The chance of one false verdict in the table is at most "
        + "one in 200.", maxShown: 30, isInSummary: true)
  }

  private func worst(_ one: MetricDifference) -> Table.Cell {
    guard let instance = one.extreme else { return .text("") }
    return .linked(.text(instance.recording), to: Workbench.address(ofCell: instance.cell))
  }

  private func broken(_ comparison: RunComparison) -> Table {
    Table(
      id: "changes-broken", title: "Failed cells that the baseline measured",
      of: comparison.broken,
      [.text("cell", "cell") { $0.cell.description }, .text("reason", "reason", \.reason)])
  }
}

extension RunComparison {
  /// The figure of each family of metrics that changed most, those that changed most first.
  var worstByFamily: [MetricDifference] {
    func size(_ one: MetricDifference) -> Double { abs(one.effects ?? 0) }
    // A verdict may also follow from single values; then the mean tells nothing.
    let changed = differences.filter {
      [.regression, .improvement].contains($0.verdict) && size($0) >= 1
    }
    return Dictionary(grouping: changed, by: \.kind).values
      .compactMap { $0.max { size($0) < size($1) } }
      .sorted { (size($1), $0.kind) < (size($0), $1.kind) }
  }
}

extension MetricDifference {
  /// The kind of figure for people: `latency`.
  fileprivate var kind: String {
    let title = MetricFamily.family(of: metric)?.title ?? metric
    return title.prefix { $0 != "," }.lowercased()
  }

  /// The change of the mean: `latency 25 → 62 ms`.
  var plainWords: String {
    let isShare = unit == "share"
    let values = [baseline, candidate].map { value in
      value.map { NumberStyle.significant(2).text(isShare ? 100 * $0 : $0) } ?? "none"
    }
    let unit = isShare ? " %" : ["ratio", "count", ""].contains(unit) ? "" : " \(unit)"
    return "\(kind) \(values[0]) → \(values[1])\(unit)"
  }
}

extension EarlierRun {
  static let drawing = "changes-before-after"

  /// The changes beside the verdict, with the sound before and after; `nil` if nothing changed.
  func lead(in sections: [Section]) -> ReportPage.Lead? {
    guard sections.flatMap(\.drawings).contains(where: { $0.id == Self.drawing }) else {
      return nil
    }
    // The recording that changed most comes first, then any that was kept on both sides.
    let worst = comparison.differences.max { ($0.effects ?? 0) < ($1.effects ?? 0) }?.extreme
    let clips = sections.flatMap(\.clips).filter { clip in
      clip.sounds.contains { $0.name == RunClips.baselineName }
    }
    let clip = clips.first { $0.title.hasPrefix(worst?.recording ?? " ") } ?? clips.first
    let sounds = [("Play before", RunClips.baselineName), ("Play after", "choir")].compactMap {
      title, name in
      clip.flatMap { clip in
        clip.sounds.firstIndex { $0.name == name }
          .map { (title, AudioLink(clip: clip.id, sound: $0)) }
      }
    }
    return .init(drawing: Self.drawing, sounds: sounds)
  }
}
