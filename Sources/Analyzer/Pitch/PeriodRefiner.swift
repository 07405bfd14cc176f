import DSP
import Foundation

/// Measures an approximately known period again, over a few periods around an instant, and reports
/// the stretch of time that the result averages.
///
/// It correlates the sound before with the sound after the instant, one period apart, or as many
/// periods as fill `shortestLagSeconds`.
///
/// - Source: Quazi, "An overview on the time delay estimate in active and passive systems for
///   target localization", IEEE Trans. ASSP 29(3), 1981, for the variance.
struct PeriodRefiner {
  /// A measured pitch: its logarithm, averaged over a stretch of time.
  struct Measurement {
    var octaves: Double  // log2 of hertz
    /// Centre of the stretch, in seconds from the requested instant.
    var offsetSeconds: Double
    /// Variance of time over the stretch.
    var spreadSquared: Double
    /// Variance of `octaves` due to noise.
    var variance: Double
    /// Correlation of the sound with itself one lag later.
    var correlation: Double
  }

  /// Sample rate, four times that of the period search. A parabola through three lags then lies
  /// within a few hundredths of a cent of the true peak.
  private static let rateHz = PeriodFinder.sampleRateHz * 4
  /// Independent values per second, at the rate of the period search.
  private static let valuesPerSecond = PeriodFinder.sampleRateHz
  /// Reach of the comparison to either side, in periods and in seconds, whichever is longer.
  private static let reachPeriods = 1.5
  private static let shortestReachSeconds = 0.012
  private static let shortestLagSeconds = 0.006
  /// Coefficient of the treble boost: high harmonics carry the most precise timing, and resonances
  /// delay them the least.
  private static let emphasis: Float = 0.4

  /// Sound to either side of an instant that a measurement may need, at the rate of the period
  /// search.
  static let marginSamples = 1024

  private let samples: [Float]
  /// Position of the first sample in the whole sound, and below its length.
  private let start: Int
  private let wholeCount: Int

  /// - Parameters:
  ///   - coarse: a stretch of the sound at the rate of the period search.
  ///   - start: position of its first sample in the whole sound of `wholeCount` samples.
  init(_ coarse: [Float], from start: Int, of wholeCount: Int) {
    let more = Int(Self.rateHz / PeriodFinder.sampleRateHz)
    self.start = start * more
    self.wholeCount = wholeCount * more
    var bright = coarse
    for i in coarse.indices.dropFirst() { bright[i] -= Self.emphasis * coarse[i - 1] }
    samples =
      Signal(bright, sampleRateHz: PeriodFinder.sampleRateHz)
      .resampled(to: Self.rateHz).samples
  }

  /// Measures the pitch near `f0Hz`; `nil` if the sound doesn't repeat within 6 % of it.
  func measured(_ f0Hz: Double, atSeconds time: Double) -> Measurement? {
    let period = Self.rateHz / f0Hz
    let periods = max(1, (Self.shortestLagSeconds * f0Hz).rounded())
    let expected = period * periods
    let widest = min(0.06 * expected, 0.4 * period) + 1
    let centre = Int((time * Self.rateHz).rounded())
    let reach = Int(max(Self.reachPeriods * period, Self.shortestReachSeconds * Self.rateHz))
    let margin = reach + Int(expected + widest) / 2 + 12
    guard centre - margin >= 0, centre + margin < wholeCount else { return nil }
    precondition(
      centre - margin >= start && centre + margin < start + samples.count,
      "the stretch is too short")

    var lag = Int(expected.rounded())
    var middle = correlation(lag, centre, reach)
    var below = correlation(lag - 1, centre, reach)
    var above = correlation(lag + 1, centre, reach)
    while below > middle || above > middle {
      let step = below > above ? -1 : 1
      lag += step
      guard abs(Double(lag) - expected) < widest else { return nil }
      let next = correlation(lag + step, centre, reach)
      (below, middle, above) = step < 0 ? (next, below, middle) : (middle, above, next)
    }
    let curvature = below - 2 * middle + above
    guard middle > 0, let offset = peakOffset(below, middle, above) else { return nil }
    let exact = Double(lag) + offset
    let peak = min(middle - (below - above) * (below - above) / (8 * curvature), 1)

    let place = self.place(lag, centre, reach)
    // The variance of a delay between two noisy, weighted copies: triangular weights of length 2r
    // count as 1.5 r equal ones.
    let count = 1.5 * Double(reach) / Self.rateHz * Self.valuesPerSecond
    let lagVariance = (1 - peak * peak) / (peak * -curvature * count)
    let perLag = 1 / (exact * log(2))
    return Measurement(
      octaves: log2(Self.rateHz * periods / exact),
      offsetSeconds: (place.mean + Double(lag) / 2 - Double(lag / 2) + Double(centre)) / Self.rateHz
        - time,
      spreadSquared: (place.variance + exact * exact / 12) / (Self.rateHz * Self.rateHz),
      variance: lagVariance * perLag * perLag, correlation: peak)
  }

  /// The correlation of the sound half a `lag` before and half a `lag` after each instant near
  /// `centre`.
  private func correlation(_ lag: Int, _ centre: Int, _ reach: Int) -> Double {
    let before = centre - start - lag / 2 - reach
    let sums = Self.sums(samples.span, before, before + lag, reach)
    return sums.product / max((sums.early * sums.late).squareRoot(), 1e-30)
  }

  private static func sums(
    _ samples: Span<Float>, _ a: Int, _ b: Int, _ reach: Int
  ) -> (product: Double, early: Double, late: Double) {
    var (product, early, late) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    let slope = 1 / Float(reach + 1)
    var place = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) - Float(reach)
    for n in stride(from: 0, through: 2 * reach, by: 8) {
      let (x, y) = (samples[uncheckedEightAt: a &+ n], samples[uncheckedEightAt: b &+ n])
      let distance = place.replacing(with: -place, where: place .< 0)
      var weight = 1 - slope * distance
      weight.replace(with: 0, where: weight .< 0)
      let (u, v) = (weight * x, y)
      product += u * v
      early += u * x
      late += weight * v * v
      place += 8
    }
    return (Double(product.sum()), Double(early.sum()), Double(late.sum()))
  }

  /// The mean and variance, in samples around the instant, of the places where the sound changes
  /// most, which carry the timing.
  private func place(_ lag: Int, _ centre: Int, _ reach: Int) -> (mean: Double, variance: Double) {
    let before = centre - start - lag / 2
    var (total, first, second): (Float, Float, Float) = (0, 0, 0)
    let slope = 1 / Float(reach + 1)
    let sound = samples.span
    for n in stride(from: -reach, through: reach, by: 2) {
      let place = Float(n)
      let a = sound[before + n + 1] - sound[before + n - 1]
      let b = sound[before + lag + n + 1] - sound[before + lag + n - 1]
      let weight = (1 - slope * abs(place)) * (a * a + b * b)
      total += weight
      first += weight * place
      second += weight * place * place
    }
    guard total > 0 else { return (0, Double(reach * reach) / 6) }
    let mean = Double(first / total)
    return (mean, max(Double(second / total) - mean * mean, 0))
  }
}
