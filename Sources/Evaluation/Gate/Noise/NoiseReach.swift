import Metrics
import Statistics

/// The smallest change of a metric that a gate finds in 95 of 100 gates, in spite of noise.
public struct NoiseReach: Equatable, Sendable {
  public var metric: String
  public var minimumEffect: Double
  /// The change that is found in the noisiest figure.
  public var detectable: Double
  /// The noisiest figure.
  public var noisiest: FigureKey
  /// The change that is found in the median figure.
  public var typical: Double
  /// Largest change worth finding.
  public var maxEffect: Double

  /// Compares a baseline's takes with themselves: what a gate finds that measures as many.
  static func differences(
    of baseline: Baseline, _ noise: GateNoise, gate: Gate
  ) -> [MetricDifference] {
    let takes = baseline.takes(noise)
    var settings = gate.settings()
    settings.rule.isRandom = noise.isRandom
    return
      (try? RunComparison(baseline: takes, candidate: takes.rotated, settings))?.differences ?? []
  }

  /// Returns the reach of every metric that is compared, the noisiest in minimum effects first.
  public static func all(of baseline: Baseline, _ noise: GateNoise, gate: Gate) -> [NoiseReach] {
    Dictionary(grouping: differences(of: baseline, noise, gate: gate), by: \.metric).compactMap {
      metric, figures in
      let known = figures.filter { $0.minimumDetectableEffect != nil }
      guard
        let noisiest = known.max(by: { $0.minimumDetectableEffect! < $1.minimumDetectableEffect! }),
        let typical = Statistics.median(known.map { $0.minimumDetectableEffect! })
      else { return nil }
      return NoiseReach(
        metric: metric, minimumEffect: figures[0].minimumEffect,
        detectable: noisiest.minimumDetectableEffect!, noisiest: noisiest.key, typical: typical,
        maxEffect: figures[0].maxEffect)
    }.sorted {
      ($1.detectable / $1.minimumEffect, $0.metric) < ($0.detectable / $0.minimumEffect, $1.metric)
    }
  }
}

/// The changes that a gate finds in one family of metrics, or the reason why it compares none.
public struct FamilyReach: Sendable {
  public enum Content: Equatable, Sendable {
    /// The reach of the metrics that are compared, the noisiest in minimum effects first.
    case compared([NoiseReach])
    /// Nothing is compared, for this reason.
    case notCompared(String)
  }

  public let family: MetricFamily
  public let content: Content

  private static let tooNoisy =
    "chance hides every change; measure it under more changes of the input ('perturbations')"

  /// Returns every family with metrics that could be compared.
  ///
  /// - Parameter cells: the measured cells, whose undefined values name the reason of a gap.
  public static func all(
    of baseline: Baseline, _ noise: GateNoise, gate: Gate, cells: [ComparedCell]
  ) -> [FamilyReach] {
    let reach = NoiseReach.all(of: baseline, noise, gate: gate)
    let chosen = Set(gate.comparedMetrics)
    var reasons: [String: [String: Int]] = [:]
    for cell in cells {
      for case (let figure, .undefined(let reason)) in cell.figures {
        reasons[figure.metric, default: [:]][reason.detail, default: 0] += 1
      }
    }
    return MetricFamily.all.compactMap { family in
      let ids = Set(family.metrics.filter(gate.canCompare).map(\.id))
      let own = reach.filter { ids.contains($0.metric) }
      if !own.isEmpty { return FamilyReach(family: family, content: .compared(own)) }
      // Times of single cells are no basis for a verdict; both sides are timed by turns instead.
      if family.id == "cost" {
        return FamilyReach(
          family: family, content: .notCompared("--baseline and --against compare it"))
      }
      guard !ids.isEmpty else { return nil }
      let counts = ids.compactMap { reasons[$0] }.reduce(into: [:]) { sums, counts in
        sums.merge(counts, uniquingKeysWith: +)
      }
      if baseline.rows.keys.contains(where: { ids.contains($0.figure.metric) }) {
        return FamilyReach(family: family, content: .notCompared(Self.tooNoisy))
      }
      let commonest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      let reason =
        ids.isDisjoint(with: chosen)
        ? "the gate's 'metrics' leaves it out" : commonest ?? "the plan's 'metrics' leaves it out"
      return FamilyReach(family: family, content: .notCompared(reason))
    }
  }
}
