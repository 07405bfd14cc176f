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

  /// A row for each family: what is found in the median figure of its first metric, and in its noisiest.
  private var table: String {
    var table = TextTable(header: ["family", "finds", "of", "in the noisiest figure"])
    table.textColumns = [1, 3]
    for reach in families {
      switch reach.content {
      case .compared(let metrics):
        let order = reach.family.metrics.map(\.id)
        let first = metrics.min {
          order.firstIndex(of: $0.metric)! < order.firstIndex(of: $1.metric)!
        }!
        table.rows.append([
          reach.family.title, amount(first.typical, of: first), first.metric, noisiest(metrics[0]),
        ])
      case .notCompared(let reason):
        table.rows.append([reach.family.title, "not compared", "", reason])
      }
    }
    return table.text()
  }

  private func noisiest(_ reach: NoiseReach) -> String {
    let key = reach.noisiest
    let place = [key.figure.voice, key.score, key.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    return "\(amount(reach.detectable, of: reach)) of \(reach.metric), \(place)"
  }

  /// Minimum effects beyond which a figure finds nothing that any listener would miss: two takes with a
  /// value have a limit of thousands.
  private static let nothing = 100.0

  private func amount(_ value: Double, of reach: NoiseReach) -> String {
    guard value < Self.nothing * reach.minimumEffect else { return "no change" }
    return
      "\(NumberStyle.significant(2).text(value)) \(Metric.metric(id: reach.metric)?.unit ?? "")"
  }
}
