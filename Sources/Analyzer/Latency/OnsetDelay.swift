import DSP
import Foundation

/// The delay of a system that changes pitch: the lag at which the loudness of input and output rises
/// and falls together.
///
/// Waveforms of different pitch don't correlate; loudness does, wherever the sound has beginnings
/// and ends. One delay for the whole sound; `EventDelay` says how much it differs from one beginning
/// to the next.
///
/// The loudness of the whole finds the delay, but follows whichever harmonic is strongest, and so errs
/// by some milliseconds. Slopes in four bands (`LoudnessSlopes`) make it exact where they agree with it
/// and with themselves: their deviation is that of leaving out one stretch after the other (the
/// jackknife).
///
/// - Cost: about 0.02 of real time. Allocates.
/// - Source: Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981.
public struct OnsetDelay: Equatable, Sendable {
  public var delayMs: Double
  /// One standard deviation of what was measured; `nil` where one stretch is all there is.
  public var deviationMs: Double?
  /// Correlation of the loudness of both at that lag, -1 to 1.
  public var correlation: Double

  /// What a pair is to be moved by: nothing where no delay at all lies within two deviations, for a
  /// pair that is not delayed must not be moved.
  public var alignmentMs: Double { abs(delayMs) <= 2 * (deviationMs ?? 0) ? 0 : delayMs }

  /// Why there is no number.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case silent
    case uncorrelated(Double)
    case atEdge(Double)

    public var description: String {
      switch self {
      case .silent: "the input or the output is silent"
      case .uncorrelated(let value):
        "the loudness of input and output don't run together (correlation "
          + "\((value * 100).rounded() / 100))"
      case .atEdge(let ms): "the best lag lies at the end of the search, \(ms) ms"
      }
    }
  }

  /// The loudness of the whole errs by less than this on pairs that are not delayed.
  private static let widestDisagreementMs = 7.0
  /// Bands that scatter by more say nothing about milliseconds.
  private static let widestDeviationMs = 2.0

  /// Correlation of the whole that is enough where the bands agree with it.
  private static let leastWithBands = 0.5

  /// - Parameters:
  ///   - longestMs: lags up to this are searched, and a quarter of it below zero.
  ///   - leastCorrelation: below this the answer would be a guess, unless the bands agree with it.
  public init(
    of output: Signal, from input: Signal, longestMs: Double = 250, leastCorrelation: Double = 0.7
  ) throws(Failure) {
    try self.init(
      LoudnessCurve(of: input), LoudnessCurve(of: output), longestMs,
      min(leastCorrelation, Self.leastWithBands))
    guard let exact = Self.ofBands(output, input, longestMs),
      exact.deviationMs <= Self.widestDeviationMs,
      abs(exact.delayMs - delayMs) <= Self.widestDisagreementMs
    else {
      guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
      return
    }
    deviationMs = exact.deviationMs
    delayMs = exact.delayMs
  }

  /// The same of outlines, which are loudness already and too slow to have bands.
  public init(
    ofOutline output: Signal, from input: Signal, longestMs: Double = 250,
    leastCorrelation: Double = 0.7
  ) throws(Failure) {
    try self.init(
      LoudnessCurve(ofOutline: input), LoudnessCurve(ofOutline: output), longestMs,
      leastCorrelation)
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
  }

  private init(
    _ a: LoudnessCurve, _ b: LoudnessCurve, _ longestMs: Double, _ leastCorrelation: Double
  ) throws(Failure) {
    guard !a.isSilent, !b.isSilent else { throw .silent }
    let steps = longestMs / LoudnessCurve.stepMs
    let found = a.bestLag(of: b, in: -Int(steps / 4)...Int(steps))
    correlation = found.correlation
    guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
    guard let lag = found.lag else { throw .atEdge(Double(found.end) * LoudnessCurve.stepMs) }
    delayMs = lag * LoudnessCurve.stepMs
  }

  /// The delay by the slopes in four bands and its deviation; `nil` where one stretch is all there is.
  private static func ofBands(
    _ output: Signal, _ input: Signal, _ longestMs: Double
  ) -> (delayMs: Double, deviationMs: Double)? {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    guard let a = LoudnessSlopes(of: input), let b = LoudnessSlopes(of: output) else { return nil }
    let steps = longestMs / LoudnessCurve.stepMs
    let lags = -Int(steps / 4)...Int(steps)
    let stretches = a.correlations(with: b, lags: lags)
    let whole = stretches.reduce([Double](repeating: 0, count: lags.count)) { sums, stretch in
      zip(sums, stretch).map { $0 + $1 }
    }
    let others = stretches.filter { $0.contains { $0 != 0 } }.compactMap { stretch in
      peak(of: zip(whole, stretch).map { $0 - $1 })
    }
    guard let place = peak(of: whole), others.count > 1 else { return nil }
    let mean = others.reduce(0, +) / Double(others.count)
    let squares = others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let share = Double(others.count - 1) / Double(others.count)
    return (
      (Double(lags.lowerBound) + place) * LoudnessCurve.stepMs,
      (share * squares).squareRoot() * LoudnessCurve.stepMs
    )
  }

  /// Where the highest value lies, between its neighbours by the parabola through them; `nil` at an end.
  private static func peak(of values: [Double]) -> Double? {
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    guard best > 0, best < values.count - 1 else { return nil }
    let (below, top, above) = (values[best - 1], values[best], values[best + 1])
    let curvature = below - 2 * top + above
    return Double(best) + (curvature < 0 ? (below - above) / (2 * curvature) : 0)
  }
}
