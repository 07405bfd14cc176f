import DSP
import Foundation

extension SpectralEnvelope {
  /// Estimates the envelope of unpitched sound, such as a fricative, by Burg's method. Two poles
  /// per kHz resolve the formants and smooth the noise.
  ///
  /// The level is the power in each Hz, so it compares only with other envelopes of noise.
  ///
  /// - Returns: `nil` for less than 10 ms, silence, or a range outside the signal.
  /// - Cost: about 1 ms per 100 ms of sound. Allocates.
  public init?(
    ofNoise signal: Signal, fromSeconds start: Double, toSeconds end: Double,
    ceilingHz: Double = 8000
  ) {
    precondition(ceilingHz > 0, "a ceiling is positive")
    guard start >= 0, end - start >= 0.01, end <= signal.durationSeconds else { return nil }
    let rateHz = min(2 * ceilingHz, signal.sampleRateHz)
    let range = Int(start * signal.sampleRateHz)..<Int(end * signal.sampleRateHz)
    let cut = Signal(
      signal.samples[range].map { $0.isFinite ? $0 : 0 }, sampleRateHz: signal.sampleRateHz)
    let samples = cut.resampled(to: rateHz).samples
    let order = Int(rateHz / 1000) + 2
    guard samples.count > 2 * order else { return nil }
    let tapered = zip(samples, Window.hann.samples(samples.count)).map { Double($0) * $1 }
    let filter = LinearPrediction(burg: tapered, order: order)
    let residual = (order..<samples.count).reduce(0.0) { sum, n in
      let error = (0...order).reduce(0.0) { $0 + filter.coefficients[$1] * Double(samples[n - $1]) }
      return sum + error * error
    }
    // The residual's power covers both halves of the spectrum; spread it over the positive half.
    let density = residual / Double(samples.count - order) / (rateHz / 2)
    guard density > 1e-20 else { return nil }
    let stepHz = 10.0
    let levels = (0...Int(rateHz / 2 / stepHz)).map { index in
      let angle = 2 * Double.pi * Double(index) * stepHz / rateHz
      var (re, im) = (0.0, 0.0)
      for (k, value) in filter.coefficients.enumerated() {
        re += value * cos(angle * Double(k))
        im -= value * sin(angle * Double(k))
      }
      return 10 * log10(density / max(re * re + im * im, 1e-12))
    }
    self.init(levelsDb: levels, stepHz: stepHz, lowestHz: 0, highestHz: rateHz / 2)
  }
}
