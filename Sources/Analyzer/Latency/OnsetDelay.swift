import DSP
import Foundation

/// The delay of a system that changes pitch: the lag at which the loudness of input and output
/// correlates best.
///
/// Waveforms of different pitch don't correlate, but loudness does wherever the sound has onsets
/// and ends. The result is one delay for the whole sound; `EventDelay` measures how much it varies
/// between onsets.
///
/// The loudness of the whole finds the delay but follows the strongest harmonic and so errs by some
/// milliseconds. Slopes in four bands (`LoudnessSlopes`) refine it if they agree with it and with
/// themselves. Their deviation comes from the jackknife: leaving out one stretch after the other.
///
/// - Cost: about 0.02 of real time. Allocates.
/// - Source: Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 9(3),
///   1981.
public struct OnsetDelay: Equatable, Sendable {
  public var delayMs: Double
  /// Standard deviation; `nil` if there is only one stretch.
  public var deviationMs: Double?
  /// Correlation of both loudness curves at that lag, -1 to 1.
  public var correlation: Double

  /// The shift that aligns a pair: 0 if a delay of 0 is within two deviations, because an undelayed
  /// pair must not be shifted.
  public var alignmentMs: Double { abs(delayMs) <= 2 * (deviationMs ?? 0) ? 0 : delayMs }

  /// A reason why the delay is undefined.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case silent
    case uncorrelated(Double)
    case atEdge(Double)

    public var description: String {
      switch self {
      case .silent: "the input or the output is silent"
      case .uncorrelated(let value):
        "the loudness of input and output doesn't correlate (correlation "
          + "\((value * 100).rounded() / 100))"
      case .atEdge(let ms): "the best lag is at the end of the search range, \(ms) ms"
      }
    }
  }

  /// Maximum disagreement of the bands; the loudness of the whole errs by less on undelayed pairs.
  private static let widestDisagreementMs = 7.0
  /// Maximum deviation of the bands; beyond it they don't resolve milliseconds.
  private static let widestDeviationMs = 2.0

  /// Minimum correlation of the whole if the bands agree with it.
  private static let leastWithBands = 0.5

  /// - Parameters:
  ///   - longestMs: maximum lag searched; the minimum is minus a quarter of it.
  ///   - leastCorrelation: minimum correlation of an answer, unless the bands agree with it.
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

  /// Compares outlines, which are loudness already and too slow to have bands.
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

  /// The delay and deviation from the slopes in four bands; `nil` if there is only one stretch.
  private static func ofBands(
    _ output: Signal, _ input: Signal, _ longestMs: Double
  ) -> (delayMs: Double, deviationMs: Double)? {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    guard let a = LoudnessSlopes(of: input), let b = LoudnessSlopes(of: output) else { return nil }
    let steps = longestMs / LoudnessCurve.stepMs
    return a.delay(of: b, lags: -Int(steps / 4)...Int(steps))
  }
}
