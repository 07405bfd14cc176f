import DSP

/// The latency of a sound whose pitch may change, where several methods agree on it.
///
/// A compressor shortens onsets, a reverb lengthens ends, and a chorus has several delays at once:
/// each moves the lag of the best correlation of loudness, though the sound is no earlier or later.
/// The lag is therefore taken on the slopes of loudness under a short Gaussian, which follow the
/// edges, and compared with that under a longer one, of the rises alone and of the falls alone. Where
/// they differ, as in a delay line, whose delay sweeps, no single number is the latency.
///
/// An unchanged waveform tells its delay itself, which is taken if the slopes are near.
///
/// - Domain: sounds with onsets and ends.
/// - Cost: about 0.05 of real time. Allocates.
public struct SoundLatency: Equatable, Sendable {
  public var delayMs: Double
  /// Standard deviation: scatter over time, and disagreement of the methods.
  public var deviationMs: Double

  /// Deviations of the Gaussians in milliseconds.
  private static let (sharpMs, bluntMs) = (2.5, 4.0)
  /// Distance from the lag of the loudness that is searched.
  private static let reachMs = 30.0
  private static let widestDeviationMs = 0.4
  private static let widestPartDeviationMs = 1.5
  /// Largest distance of the two Gaussians' results, and of rises from falls.
  private static let (maxBetweenBells, maxBetweenParts) = (0.5, 1.0)
  /// Correlation of an unchanged waveform, and its largest distance from the slopes.
  private static let (sameWaveform, maxFromWaveform) = (0.9, 1.5)

  /// - Parameter about: lag of the loudness, if known.
  public init(
    of output: Signal, from input: Signal, about known: OnsetDelay? = nil
  ) throws(Unmeasurable) {
    let about: OnsetDelay
    if let known { about = known } else { about = try Self.lag(of: output, from: input) }
    guard let a = input.bandLoudness, let b = output.bandLoudness,
      let early = LoudnessSlopes(of: a, bellMs: Self.sharpMs),
      let late = LoudnessSlopes(of: b, bellMs: Self.sharpMs)
    else { throw .eitherSilent }
    let (middle, reach) = (
      Int((about.delayMs / LoudnessCurve.stepMs).rounded()),
      Int(Self.reachMs / LoudnessCurve.stepMs)
    )
    let lags = middle - reach...middle + reach
    guard let sharp = early.delay(of: late, lags: lags) else {
      throw Self.uncorrelated
    }
    if let same = try? WaveformDelay(of: output, from: input, minCorrelation: Self.sameWaveform),
      abs(same.delayMs - sharp.delayMs) <= Self.maxFromWaveform,
      same.ambiguity <= WaveformDelay.maxAmbiguity
    {
      (delayMs, deviationMs) = (same.delayMs, 0)
      return
    }
    guard sharp.deviationMs <= Self.widestDeviationMs else {
      throw Self.uncertain(sharp.deviationMs)
    }
    guard let bluntEarly = LoudnessSlopes(of: a, bellMs: Self.bluntMs),
      let bluntLate = LoudnessSlopes(of: b, bellMs: Self.bluntMs),
      let blunt = bluntEarly.delay(of: bluntLate, lags: lags)
    else { throw Self.uncorrelated }
    guard abs(blunt.delayMs - sharp.delayMs) <= Self.maxBetweenBells else {
      throw Self.methodsDiffer(sharp.delayMs, blunt.delayMs)
    }
    guard let rises = early.rises.delay(of: late, lags: lags),
      let falls = early.falls.delay(of: late, lags: lags)
    else { throw Unmeasurable(.uncorrelated, "only rises or only ends of the sound correlate") }
    for part in [rises, falls] where part.deviationMs > Self.widestPartDeviationMs {
      throw Self.uncertain(part.deviationMs)
    }
    guard abs(rises.delayMs - falls.delayMs) <= Self.maxBetweenParts else {
      throw Self.methodsDiffer(rises.delayMs, falls.delayMs)
    }
    delayMs = sharp.delayMs
    let disagreement = (blunt.delayMs - sharp.delayMs) / 2
    deviationMs = (sharp.deviationMs * sharp.deviationMs + disagreement * disagreement).squareRoot()
  }

  private static let uncorrelated = Unmeasurable(
    .uncorrelated, "the slopes of input and output don't correlate")

  private static func uncertain(_ ms: Double) -> Unmeasurable {
    Unmeasurable(.uncertain, "onsets and ends scatter: the latency is uncertain by \(text(ms)) ms")
  }

  private static func methodsDiffer(_ ms: Double, _ otherMs: Double) -> Unmeasurable {
    Unmeasurable(
      .methodsDiffer,
      "the sound has no single latency: one method finds \(text(ms)) ms, another "
        + "\(text(otherMs)) ms")
  }

  private static func text(_ ms: Double) -> String { "\((ms * 10).rounded() / 10)" }

  private static func lag(
    of output: Signal, from input: Signal
  ) throws(Unmeasurable) -> OnsetDelay {
    do { return try OnsetDelay(of: output, from: input) } catch {
      throw error.cause == .silent ? error : Unmeasurable(.uncorrelated, error.description)
    }
  }
}
