import Corpus
import Sweep
import Tuning

/// One recording at the settings of the front, and at a few more, in order of latency.
struct TradeClip {
  let facts: RunFacts

  static let id = "trade-sound"
  /// Maximum and minimum number of settings; a longer front is cut at the highest total.
  private static let maxSettings = 12
  private static let minSettings = 4

  /// - Returns: the clip, and the link that plays each setting.
  func clip() -> (Clip?, [SettingChoice: AudioLink]) {
    guard let (entry, cells) = recording() else { return (nil, [:]) }
    let shown = points().filter { cells[SettingChoice($0)] != nil }
    let paths = shown.map { facts.store.soundFile(of: cells[SettingChoice($0)]!.key)!.path }
    guard shown.count > 1, let first = cells[SettingChoice(shown[0])] else { return (nil, [:]) }
    let clip = Clip(
      id: Self.id, title: "Hear the trade-offs: \(entry.id)",
      note: "\(entry.shows), at the settings of the front and the default, and if these are few "
        + "at the settings with the next lowest totals. The lowest latency is first. "
        + "\(entry.licence); \(entry.attribution).",
      sounds: facts.store.given([first])
        + zip(shown, paths).map { Sound("choir", detail: words($0), path: $1) })
    let audioLinks = zip(shown, paths).compactMap { point, path in
      clip.audioLink(of: path).map { (SettingChoice(point), $0) }
    }
    return (clip, Dictionary(audioLinks) { first, _ in first })
  }

  /// The first recording with sound of those that the plan listens to, clean if possible.
  private func recording() -> (ManifestEntry, [SettingChoice: CellResult])? {
    for id in facts.run.plan.listen ?? [] {
      guard let entry = try? facts.corpus.entry(id: id), entry.mayBeEmbedded else { continue }
      let cells = facts.run.cells.filter {
        $0.recording == id && facts.store.soundFile(of: $0.key) != nil
      }
      guard let first = cells.first(where: { $0.condition == "clean" }) ?? cells.first
      else { continue }
      let alike = cells.filter { $0.condition == first.condition && $0.score == first.score }
      return (entry, Dictionary(alike.map { (SettingChoice($0), $0) }) { first, _ in first })
    }
    return nil
  }

  /// Points of the front, the default and the recommended setting; if these are few, also the best of
  /// the others.
  private func points() -> [TuneAnswer.Point] {
    let sorted = facts.pointsByTotal
    let marked = sorted.filter { isMarked($0) }.prefix(Self.maxSettings)
    let others = sorted.filter { !isMarked($0) }.prefix(max(0, Self.minSettings - marked.count))
    return (marked + others).sorted { (latency($0) ?? .infinity) < (latency($1) ?? .infinity) }
  }

  /// True for the front, the recommended setting and the default.
  private func isMarked(_ point: TuneAnswer.Point) -> Bool {
    point.isOnFront || SettingChoice(point) == facts.choice || SettingChoice(point).isDefault
  }

  private func latency(_ point: TuneAnswer.Point) -> Double? {
    point.figures[TuneAxis.latency.rawValue]?.value
  }

  /// The setting with its latency, audible total and role.
  private func words(_ point: TuneAnswer.Point) -> String {
    let style = NumberStyle.decimals(1)
    let role =
      SettingChoice(point) == facts.choice
      ? "recommended"
      : SettingChoice(point).isDefault ? "default" : point.isOnFront ? "" : "dominated"
    return [
      facts.text(point), latency(point).map { "latency \(style.text($0)) ms" } ?? "",
      point.faults.map { "\(style.text($0)) audible steps" } ?? "",
      role,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
