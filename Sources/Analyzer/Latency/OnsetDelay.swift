import DSP
import Foundation

/// The delay of a system that changes pitch: the lag at which the loudness of input and output rises
/// and falls together.
///
/// Waveforms of different pitch don't correlate; loudness does, wherever the sound has beginnings
/// and ends. It is compared in four bands (`LoudnessSlopes`), each counting the same, so that a
/// harmonic that leaves the strongest band moves nothing. One delay for the whole sound;
/// `EventDelay` says how much it differs from one beginning to the next.
///
/// The deviation is that of leaving out one stretch after the other (the jackknife). Where no
/// delay at all lies within two deviations, none is what is said: a pair that is not delayed is
/// not moved.
///
/// - Cost: about 0.02 of real time. Allocates.
/// - Source: Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9(3), 1981.
public struct OnsetDelay: Equatable, Sendable {
  public var delayMs: Double
  /// One standard deviation of what was measured; `nil` where one stretch is all there is.
  public var deviationMs: Double?
  /// Correlation of the loudness of both at that lag, -1 to 1.
  public var correlation: Double

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

  /// - Parameters:
  ///   - longestMs: lags up to this are searched, and a quarter of it below zero.
  ///   - leastCorrelation: below this the answer would be a guess.
  public init(
    of output: Signal, from input: Signal, longestMs: Double = 250, leastCorrelation: Double = 0.35
  ) throws(Failure) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let (a, b) = (LoudnessSlopes(of: input), LoudnessSlopes(of: output))
    guard let a, let b else { throw .silent }
    let steps = longestMs / LoudnessCurve.stepMs
    let lags = -Int(steps / 4)...Int(steps)
    let stretches = a.correlations(with: b, lags: lags)
    let whole = stretches.reduce([Double](repeating: 0, count: lags.count)) { sums, stretch in
      zip(sums, stretch).map { $0 + $1 }
    }
    let top = Self.peak(of: whole)
    correlation = top.height
    guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
    guard let place = top.place else {
      throw .atEdge(Double(lags.lowerBound + top.index) * LoudnessCurve.stepMs)
    }
    let measuredMs = (Double(lags.lowerBound) + place) * LoudnessCurve.stepMs
    let others = stretches.filter { $0.contains { $0 != 0 } }.compactMap { stretch in
      Self.peak(of: zip(whole, stretch).map { $0 - $1 }).place
    }
    if others.count > 1 {
      let mean = others.reduce(0, +) / Double(others.count)
      let squares = others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let share = Double(others.count - 1) / Double(others.count)
      deviationMs = (share * squares).squareRoot() * LoudnessCurve.stepMs
    }
    delayMs = abs(measuredMs) <= 2 * (deviationMs ?? 0) ? 0 : measuredMs
  }

  /// The same of outlines, which are loudness already and too slow to have bands.
  public init(
    ofOutline output: Signal, from input: Signal, longestMs: Double = 250,
    leastCorrelation: Double = 0.7
  ) throws(Failure) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let (a, b) = (LoudnessCurve(ofOutline: input), LoudnessCurve(ofOutline: output))
    guard !a.isSilent, !b.isSilent else { throw .silent }
    let steps = longestMs / LoudnessCurve.stepMs
    let found = a.bestLag(of: b, in: -Int(steps / 4)...Int(steps))
    correlation = found.correlation
    guard correlation >= leastCorrelation else { throw .uncorrelated(correlation) }
    guard let lag = found.lag else { throw .atEdge(Double(found.end) * LoudnessCurve.stepMs) }
    delayMs = lag * LoudnessCurve.stepMs
  }

  /// The highest value, where it lies, and where between its neighbours by the parabola through
  /// them; `nil` at an end.
  private static func peak(of values: [Double]) -> (place: Double?, index: Int, height: Double) {
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    guard best > 0, best < values.count - 1 else { return (nil, best, values[best]) }
    let (below, top, above) = (values[best - 1], values[best], values[best + 1])
    let curvature = below - 2 * top + above
    let offset = curvature < 0 ? (below - above) / (2 * curvature) : 0
    return (Double(best) + offset, best, top)
  }
}
