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
  private static let rateHz = PeriodFinder.sampleRateHz * Double(oversampling)
  private static let oversampling = 4
  /// Independent values per second, at the rate of the period search.
  private static let valuesPerSecond = PeriodFinder.sampleRateHz
  /// Reach of the comparison to either side, in periods and in seconds, whichever is longer.
  private static let reachPeriods = 1.5
  private static let shortestReachSeconds = 0.012
  private static let shortestLagSeconds = 0.006
  /// Correlations between which lag and reach become longer, and by which factor.
  private static let (clearCorrelation, noisyCorrelation, lengthening) = (0.7, 0.6, 2.0)
  /// Share of the correlation that the longer lag keeps where the pitch moves, and where it stands. Accuracy in breath
  /// is .745 for a share of 0.9 alone and .751 for 0.8; no other kind of sound changes by .002 (docs/notes/pitch.md).
  private static let (movingShare, standingShare) = (0.8, 0.9)
  /// Coefficient of the treble boost: high harmonics carry the most precise timing, and resonances
  /// delay them the least.
  private static let emphasis: Float = 0.4

  /// Sound to either side of an instant that a measurement may need, at the rate of the period
  /// search.
  static let marginSamples = 1024

  private let samples: [Float]
  /// Every fourth of them from the first on, then from the second on, and so on, each with eight zeros after. Sums over
  /// a fourth of the products are those over all: the products hold nothing above the rate of the period search.
  private let phases: [Float]
  private let phaseLength: Int
  /// Position of the first sample in the whole sound, and below its length.
  private let start: Int
  private let wholeCount: Int

  /// - Parameters:
  ///   - coarse: a stretch of the sound at the rate of the period search.
  ///   - start: position of its first sample in the whole sound of `wholeCount` samples.
  init(_ coarse: [Float], from start: Int, of wholeCount: Int) {
    let more = Self.oversampling
    self.start = start * more
    self.wholeCount = wholeCount * more
    var bright = coarse
    for i in coarse.indices.dropFirst() { bright[i] -= Self.emphasis * coarse[i - 1] }
    samples =
      Signal(bright, sampleRateHz: PeriodFinder.sampleRateHz)
      .resampled(to: Self.rateHz).samples
    let length = samples.count / more + 9
    var phases = [Float](repeating: 0, count: more * length)
    for (n, sample) in samples.enumerated() { phases[n % more * length + n / more] = sample }
    (self.phases, phaseLength) = (phases, length)
  }

  /// Measures the pitch near `f0Hz`; `nil` if the sound doesn't repeat within 6 % of it.
  ///
  /// Where noise hides the repetition and the pitch stands, lag and reach are longer: the error of a lag counts less
  /// in more periods, and the noise averages.
  func measured(_ f0Hz: Double, atSeconds time: Double) -> Measurement? {
    let centre = Int((time * Self.rateHz).rounded())
    guard let near = repetition(f0Hz, centre, lengthening: 1) else { return nil }
    let place = self.place(near.lag, centre, near.reach)
    let offset = place.mean + Double(near.lag) / 2 - Double(near.lag / 2) + Double(centre)
    var measurement = Measurement(
      octaves: near.octaves, offsetSeconds: offset / Self.rateHz - time,
      spreadSquared: (place.variance + near.exactLag * near.exactLag / 12)
        / (Self.rateHz * Self.rateHz),
      variance: near.variance, correlation: near.correlation)
    func share(of x: Double, from first: Double, to last: Double) -> Double {
      min(max((x - first) / (last - first), 0), 1)
    }
    let noise = share(of: near.correlation, from: Self.clearCorrelation, to: Self.noisyCorrelation)
    guard noise > 0,
      let far = repetition(exp2(near.octaves), centre, lengthening: Self.lengthening)
    else { return measurement }
    let kept = far.correlation / near.correlation
    let weight = noise * share(of: kept, from: Self.movingShare, to: Self.standingShare)
    measurement.octaves += weight * (far.octaves - near.octaves)
    measurement.variance += weight * (far.variance - near.variance)
    return measurement
  }

  /// The lag at which the sound repeats best.
  private struct Repetition {
    var lag: Int
    var exactLag: Double
    /// Distance of the furthest samples compared, from the instant in the middle.
    var reach: Int
    /// The pitch, its variance and the correlation, those of `Measurement`.
    var octaves: Double
    var variance: Double
    var correlation: Double
  }

  private func repetition(_ f0Hz: Double, _ centre: Int, lengthening: Double) -> Repetition? {
    let period = Self.rateHz / f0Hz
    let periods = max(1, (lengthening * Self.shortestLagSeconds * f0Hz).rounded())
    let expected = period * periods
    let widest = min(0.06 * expected, 0.4 * period) + 1
    let reach = Int(
      lengthening * max(Self.reachPeriods * period, Self.shortestReachSeconds * Self.rateHz))
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

    // The variance of a delay between two noisy, weighted copies: triangular weights of length 2r
    // count as 1.5 r equal ones.
    let count = 1.5 * Double(reach) / Self.rateHz * Self.valuesPerSecond
    let lagVariance = (1 - peak * peak) / (peak * -curvature * count)
    let perLag = 1 / (exact * log(2))
    return Repetition(
      lag: lag, exactLag: exact, reach: reach, octaves: log2(Self.rateHz * periods / exact),
      variance: lagVariance * perLag * perLag, correlation: peak)
  }

  /// The correlation of the sound half a `lag` before and half a `lag` after each instant near
  /// `centre`.
  private func correlation(_ lag: Int, _ centre: Int, _ reach: Int) -> Double {
    let before = centre - start - lag / 2 - reach
    let sums = sums(before, before + lag, reach)
    return sums.product / max((sums.early * sums.late).squareRoot(), 1e-30)
  }

  private func sums(
    _ a: Int, _ b: Int, _ reach: Int
  ) -> (product: Double, early: Double, late: Double) {
    let sound = phases.span
    let more = Self.oversampling
    let (firstX, firstY) = (a % more * phaseLength + a / more, b % more * phaseLength + b / more)
    var (product, early, late) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    let slope = 1 / Float(reach + 1)
    var place = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) * Float(more) - Float(reach)
    for n in stride(from: 0, through: 2 * reach / more, by: 8) {
      let (x, y) = (sound[uncheckedEightAt: firstX &+ n], sound[uncheckedEightAt: firstY &+ n])
      let distance = place.replacing(with: -place, where: place .< 0)
      var weight = 1 - slope * distance
      weight.replace(with: 0, where: weight .< 0)
      let (u, v) = (weight * x, y)
      product += u * v
      early += u * x
      late += weight * v * v
      place += Float(8 * more)
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
