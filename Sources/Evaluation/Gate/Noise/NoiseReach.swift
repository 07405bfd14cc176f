import Metrics
import Statistics

/// The smallest change of a metric that a gate can find in spite of noise.
public struct NoiseReach: Equatable, Sendable {
  public var metric: String
  public var minimumEffect: Double
  /// The change that is found in 95 of 100 gates, in the noisiest figure.
  public var detectable: Double
  /// The noisiest figure.
  public var noisiest: FigureKey
  /// The change that is found in the median figure.
  public var typical: Double

  /// Returns the reach of every metric with noise, the noisiest in minimum effects first.
  public static func all(of baseline: Baseline, _ noise: GateNoise, gate: Gate) -> [NoiseReach] {
    let takes = baseline.takes(noise)
    guard
      let comparison = try? RunComparison(
        baseline: takes, candidate: takes.rotated, gate.settings())
    else { return [] }
    return Dictionary(grouping: comparison.differences, by: \.metric).compactMap {
      metric, figures in
      let known = figures.filter { $0.minimumDetectableEffect != nil }
      guard
        let noisiest = known.max(by: { $0.minimumDetectableEffect! < $1.minimumDetectableEffect! }),
        let typical = Statistics.median(known.map { $0.minimumDetectableEffect! }),
        figures.contains(where: { $0.error > 0 })
      else { return nil }
      return NoiseReach(
        metric: metric, minimumEffect: figures[0].minimumEffect,
        detectable: noisiest.minimumDetectableEffect!, noisiest: noisiest.key, typical: typical)
    }.sorted {
      ($1.detectable / $1.minimumEffect, $0.metric) < ($0.detectable / $0.minimumEffect, $1.metric)
    }
  }
}
