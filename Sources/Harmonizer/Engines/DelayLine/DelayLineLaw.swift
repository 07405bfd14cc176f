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

extension DelayLineLaw {
  /// Swing of the level of a sound of many partials with the sweep: from crest to trough of the
  /// first harmonic of the level in decibels, which is what `Tremolo` measures.
  ///
  /// A partial that reaches two crossing taps `φ` apart, with gains `g` and `1 - g`, has the power
  /// `1 - 2 g (1 - g) (1 - cos φ)`. The cosines of many partials cancel, so the swing depends only on
  /// the share of the crossfade in the window. A sound of few partials swings more or less than that.
  ///
  /// - Cost: 400 logarithms.
  public var tremoloDepthDb: Double {
    let share = min(crossfadeSamples / windowSamples, 1)
    guard sweepRateHz > 0, share > 0 else { return 0 }
    let steps = 400
    // The crossfade is as a mirror about its middle, so the sines cancel.
    let sum = (0..<steps).reduce(0.0) { sum, step in
      let gain = (Double(step) + 0.5) / Double(steps)
      let levelDb = 10 * log10(1 - 2 * gain * (1 - gain))
      return sum + levelDb * cos(2 * .pi * share * (gain - 0.5))
    }
    // A harmonic of amplitude A is twice the mean against its cosine, and 2 A from crest to trough.
    return 4 * abs(sum / Double(steps)) * share
  }
}
