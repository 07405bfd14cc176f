import CommandSupport
import Gate
import Metrics
import Reporting

/// The noise of a baseline for a terminal: whether the subject is random, and what the gate can find.
struct NoiseText {
  private let noise: GateNoise
  private let families: [FamilyReach]

  init(_ noise: GateNoise, of baseline: Baseline, gate: Gate, cells: [ComparedCell]) {
    self.noise = noise
    families = FamilyReach.all(of: baseline, noise, gate: gate, cells: cells)
  }

  func text() -> String { "\(headline)\n\n\(table)\n" }

  private var headline: String {
    let kind =
      noise.isRandom
      ? "random: \(noise.differingFigures) figures differ between two equal runs"
      : "deterministic: two equal runs are identical"
    return "The subject is \(kind). Its noise was measured under \(noise.perturbations) inaudible "
      + "changes of the input.\n\nThe gate finds these changes in 95 of 100 runs:"
  }

  /// A row for each family: what is found in the median figure of its clearest metric, and in its noisiest.
  private var table: String {
    var table = TextTable(header: ["family", "finds", "of", "in the noisiest figure"])
    table.textColumns = [1, 3]
    for reach in families {
      switch reach.content {
      case .compared(let metrics):
        let clear = clearest(of: metrics, in: reach.family)
        table.rows.append([
          reach.family.title, amount(clear.typical, of: clear) ?? "nothing: too noisy",
          clear.metric, noisiest(metrics[0]),
        ])
      case .notCompared(let reason):
        table.rows.append([reach.family.title, "not compared", "", reason])
      }
    }
    return table.text()
  }

  /// Returns the family's first metric that finds almost as small a change as any, in minimum effects.
  private func clearest(of metrics: [NoiseReach], in family: MetricFamily) -> NoiseReach {
    func size(_ reach: NoiseReach) -> Double { reach.typical / reach.minimumEffect }
    let least = metrics.map(size).min()!
    return family.metrics.lazy.compactMap { metric in metrics.first { $0.metric == metric.id } }
      .first { size($0) <= 1.5 * least }!
  }

  private func noisiest(_ reach: NoiseReach) -> String {
    let key = reach.noisiest
    let place = [key.figure.voice, key.score, key.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let found = amount(reach.detectable, of: reach).map { "\($0) of" } ?? "nothing, too noisy:"
    return "\(found) \(reach.metric), \(place)"
  }

  /// Returns a change in words; `nil` if it is not worth finding, as of two takes with a value.
  private func amount(_ value: Double, of reach: NoiseReach) -> String? {
    guard value <= reach.maxEffect else { return nil }
    let unit = Metric.metric(id: reach.metric)?.unit ?? ""
    let style = NumberStyle.significant(2)
    return unit == "share" ? "\(style.text(100 * value)) %" : "\(style.text(value)) \(unit)"
  }
}
