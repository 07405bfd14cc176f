import DSP
import Foundation

/// A voice whose formants are known and may move.
public enum ResonatorVoice {
  private static let bandwidthsHz = [60.0, 90, 120, 150, 200]

  /// Synthesizes a voice: band-limited impulses at the pitch, through a slope of -6 dB per octave
  /// and resonators whose frequencies may move.
  public static func signal(
    f0Hz: Double, rateHz: Double = 48_000, seconds: Double = 0.4,
    formantsHz: (_ seconds: Double) -> [Double]
  ) -> Signal {
    let count = Int(seconds * rateHz)
    let harmonics = Int(rateHz / 2 / f0Hz)
    var samples = (0..<count).map { n in
      // The sum of the cosines of all harmonics, in closed form.
      let half = Double.pi * f0Hz * Double(n) / rateHz
      guard abs(sin(half)) > 1e-9 else { return Double(harmonics) }
      return (sin((2 * Double(harmonics) + 1) * half) / sin(half) - 1) / 2
    }
    var slope = 0.0
    for n in samples.indices {
      slope = samples[n] + exp(-2 * .pi * 50 / rateHz) * slope
      samples[n] = slope
    }
    let tracksHz = (0..<count).map { formantsHz(Double($0) / rateHz) }
    for index in tracksHz[0].indices {
      let bandwidthHz = index < bandwidthsHz.count ? bandwidthsHz[index] : 400
      let radius = exp(-.pi * bandwidthHz / rateHz)
      var (before, twoBefore) = (0.0, 0.0)
      for n in samples.indices {
        let a1 = 2 * radius * cos(2 * .pi * tracksHz[n][index] / rateHz)
        let next =
          (1 - a1 + radius * radius) * samples[n] + a1 * before - radius * radius * twoBefore
        (twoBefore, before) = (before, next)
        samples[n] = next
      }
    }
    let peak = samples.map { abs($0) }.max()!
    return Signal(samples.map { Float($0 / peak / 2) }, sampleRateHz: rateHz)
  }
}
