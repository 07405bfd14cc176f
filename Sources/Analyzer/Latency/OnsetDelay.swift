import DSP
import Foundation

/// The delay of a system that changes pitch: the lag at which the loudness of input and output
/// correlates best.
///
/// Waveforms of different pitch don't correlate, but loudness does wherever the sound has onsets
/// and ends. The result is one delay for the whole sound; `EventDelay` measures how much it varies
/// between onsets. It is undefined if another lag does as well, as in a regular rhythm, and if the
/// delay drifts or jumps (`PartDelays`).
///
/// The loudness of the whole finds the delay but follows the strongest harmonic and so errs by some
/// milliseconds. Slopes in four bands (`LoudnessSlopes`) refine it if they agree with it and with
/// themselves. Their deviation comes from the jackknife: leaving out one stretch after the other.
///
/// - Cost: about 0.03 of real time. Allocates.
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

  /// Standard deviation with what compressors, choruses and reverbs move: 2 ms if the bands agree, 8 ms
  /// if only the loudness of the whole tells the delay.
  public var errorMs: Double { deviationMs.map { ($0 * $0 + 4).squareRoot() } ?? 8 }

  /// Maximum disagreement of the bands; the loudness of the whole errs by less on undelayed pairs.
  private static let widestDisagreementMs = 7.0
  /// Maximum deviation of the bands; beyond it they don't resolve milliseconds.
  private static let widestDeviationMs = 2.0

  /// Minimum correlation of the whole if the bands agree with it.
  private static let minWithBands = 0.5

  /// Largest distance between the delays of the loudness with and without the ripple of periods: the
  /// error that `errorMs` states.
  private static let slowDisagreementMs = 8.0

  /// Time after which the loudness without ripple is independent: one and a half triangles.
  private static let independentMs = 60.0
  /// Fewest deviations of a correlation from chance, by Fisher's transformation ("On the probable error
  /// of a coefficient of correlation", Metron 1, 1921).
  private static let minDeviations = 3.0

  /// Delays that are searched. They reach beyond what effects for singers have, so that a rhythm that
  /// fits at several delays shows.
  private static let lagsMs = -500.0...1000
  /// The same of outlines, which have no onsets to tell a wide range apart.
  private static let outlineLagsMs = -62.5...250
  /// Distance from the lag of the loudness at which the bands are compared.
  private static let bandReachMs = 250.0

  /// - Parameter minCorrelation: minimum correlation of an answer, unless the bands agree with it.
  public init(
    of output: Signal, from input: Signal, minCorrelation: Double = 0.7
  ) throws(Unmeasurable) {
    let whole = try Self.whole(of: output, from: input, min(minCorrelation, Self.minWithBands))
    let bands = Self.bands(output, input, aboutMs: whole.delayMs)
    if let change = bands.flatMap({ PartDelays($0).change }) {
      throw Unmeasurable(.changingDelay, "\(change)")
    }
    correlation = whole.correlation
    if let exact = bands?.delay, exact.deviationMs <= Self.widestDeviationMs,
      abs(exact.delayMs - whole.delayMs) <= Self.widestDisagreementMs
    {
      (delayMs, deviationMs) = (exact.delayMs, exact.deviationMs)
    } else {
      guard correlation >= minCorrelation else { throw Self.uncorrelated(correlation) }
      try Self.requireMore(than: whole.delayMs, output, input, minCorrelation)
      delayMs = whole.delayMs
    }
  }

  /// Throws if only chance or the ripple of the periods tells the delay, as in a steady note without
  /// onsets, which fits as well some periods later.
  private static func requireMore(
    than delayMs: Double, _ output: Signal, _ input: Signal, _ minCorrelation: Double
  ) throws(Unmeasurable) {
    let (a, b) = (LoudnessCurve(of: input), LoudnessCurve(of: output))
    let slow = try best(a.withoutRipple, b.withoutRipple, lagsMs, minCorrelation)
    guard abs(slow.delayMs - delayMs) <= slowDisagreementMs,
      slow.ambiguity <= WaveformDelay.maxAmbiguity
    else {
      throw Unmeasurable(
        .ambiguousDelay,
        "the loudness tells no delay without the ripple of the periods, as in a steady note")
    }
    let overlapMs = min(input.durationSeconds, output.durationSeconds) * 1000 - abs(delayMs)
    let count = max(4, overlapMs / independentMs)
    guard atanh(min(slow.correlation, 1 - 1e-9)) * (count - 3).squareRoot() >= minDeviations else {
      throw Unmeasurable(.uncorrelated, "too little sound for the loudness to tell the delay")
    }
  }

  /// Returns a delay that drifts or jumps; `nil` for any other.
  public static func change(of output: Signal, from input: Signal) -> DelayTrajectory? {
    guard let whole = try? whole(of: output, from: input, minWithBands) else { return nil }
    return bands(output, input, aboutMs: whole.delayMs).flatMap { PartDelays($0).change }
  }

  /// Compares outlines, which are loudness already and too slow to have bands.
  public init(
    ofOutline output: Signal, from input: Signal, minCorrelation: Double = 0.7
  ) throws(Unmeasurable) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let whole = try Self.best(
      LoudnessCurve(ofOutline: input), LoudnessCurve(ofOutline: output), Self.outlineLagsMs,
      minCorrelation)
    (delayMs, correlation) = (whole.delayMs, whole.correlation)
  }

  /// The delay of the loudness of the whole, if no other fits as well.
  private static func whole(
    of output: Signal, from input: Signal, _ minCorrelation: Double
  ) throws(Unmeasurable) -> (delayMs: Double, correlation: Double, ambiguity: Double) {
    precondition(input.sampleRateHz == output.sampleRateHz, "rates differ")
    let whole = try best(
      LoudnessCurve(of: input), LoudnessCurve(of: output), lagsMs, minCorrelation)
    guard whole.ambiguity <= WaveformDelay.maxAmbiguity else {
      throw Unmeasurable(
        .ambiguousDelay,
        "the loudness fits as well at another delay than \((whole.delayMs * 10).rounded() / 10) ms, "
          + "as in a regular rhythm")
    }
    return whole
  }

  private static func uncorrelated(_ correlation: Double) -> Unmeasurable {
    Unmeasurable(
      .uncorrelated,
      "the loudness of input and output doesn't correlate (correlation "
        + "\((correlation * 100).rounded() / 100))")
  }

  private static func best(
    _ a: LoudnessCurve, _ b: LoudnessCurve, _ lagsMs: ClosedRange<Double>,
    _ minCorrelation: Double
  ) throws(Unmeasurable) -> (delayMs: Double, correlation: Double, ambiguity: Double) {
    guard !a.isSilent, !b.isSilent else { throw .eitherSilent }
    let step = LoudnessCurve.stepMs
    let found = a.bestLag(of: b, in: Int(lagsMs.lowerBound / step)...Int(lagsMs.upperBound / step))
    guard found.correlation >= minCorrelation else { throw uncorrelated(found.correlation) }
    guard let lag = found.lag else {
      throw Unmeasurable(
        .uncorrelated,
        "the best lag is at the end of the search range, \(Double(found.end) * step) ms")
    }
    return (lag * step, found.correlation, found.ambiguity)
  }

  /// The correlation of the slopes in four bands; `nil` for silence.
  private static func bands(
    _ output: Signal, _ input: Signal, aboutMs: Double
  ) -> SlopeCorrelation? {
    guard let a = input.loudnessSlopes, let b = output.loudnessSlopes else { return nil }
    let (middle, reach) = (
      Int((aboutMs / LoudnessCurve.stepMs).rounded()), Int(bandReachMs / LoudnessCurve.stepMs)
    )
    return SlopeCorrelation(of: b, with: a, lags: middle - reach...middle + reach)
  }
}
