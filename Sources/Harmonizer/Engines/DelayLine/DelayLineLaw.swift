import Foundation

/// Predictions for the two-tap delay line, to compare with measurements.
///
/// The leading tap's delay falls by `ratio - 1` a sample and starts anew after a window, so the
/// system repeats itself at the sweep rate. From that follow all the laws here.
///
/// - Source: Zölzer (ed.), "DAFX", 2nd ed., 6.4.3; derived in `docs/reference/engines.md#delay-line`.
public struct DelayLineLaw: Equatable, Sendable {
  /// Pitch out over pitch in, within a sweep.
  public let ratio: Double
  public let windowSamples: Double
  public let crossfadeSamples: Double
  public let sampleRateHz: Double

  /// - Parameter noteHz: what the voice sings, where the sweep follows it (`spliceToPeriods`);
  ///   `nil` is no voice.
  public init(
    shiftSemitones: Double, settings: DelayLineShifter.Settings, sampleRateHz: Double,
    noteHz: Double? = nil
  ) {
    ratio = frequencyRatio(ofSemitones: shiftSemitones)
    self.sampleRateHz = sampleRateHz
    if let noteHz, settings.spliceToPeriods > 0 {
      windowSamples = Double(settings.spliceToPeriods) * sampleRateHz / noteHz
      crossfadeSamples = windowSamples * settings.crossfadeMs / settings.windowMs
    } else {
      windowSamples = settings.windowMs / 1000 * sampleRateHz
      crossfadeSamples = settings.crossfadeMs / 1000 * sampleRateHz
    }
  }

  /// Rate at which the taps change over: also the spacing of the lines in the output of a tone.
  public var sweepRateHz: Double { abs(1 - ratio) * sampleRateHz / windowSamples }

  /// The delay of both taps by their gains, averaged over a sweep.
  public var meanDelaySamples: Double { (windowSamples + crossfadeSamples) / 2 }

  public var meanDelayMs: Double { meanDelaySamples / sampleRateHz * 1000 }
}
