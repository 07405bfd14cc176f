import Foundation

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
