import DSP
import Foundation

/// A synthetic voice with known properties: harmonics of equal phase with given amplitudes, and noise
/// of a given level.
package struct KnownVoice {
  var sampleRateHz = 48_000.0
  package var seconds = 1.0
  package var f0Hz: @Sendable (Double) -> Double
  /// Amplitude of a harmonic, by its frequency in hertz.
  package var amplitude: @Sendable (Double) -> Double = { 0.2 / (1 + $0 / 500) }
  /// Root mean square of the white, nearly Gaussian noise.
  package var noiseRms = 0.0

  package init(
    sampleRateHz: Double = 48_000, seconds: Double = 1,
    f0Hz: @escaping @Sendable (Double) -> Double,
    amplitude: @escaping @Sendable (Double) -> Double = { 0.2 / (1 + $0 / 500) },
    noiseRms: Double = 0
  ) {
    (self.sampleRateHz, self.seconds, self.f0Hz) = (sampleRateHz, seconds, f0Hz)
    (self.amplitude, self.noiseRms) = (amplitude, noiseRms)
  }

  package func signal() -> Signal {
    var random = SeededGenerator(seed: 11)
    var cycles = 0.0
    var samples: [Float] = []
    for n in 0..<Int(seconds * sampleRateHz) {
      let f0 = f0Hz(Double(n) / sampleRateHz)
      var value = 0.0
      for h in 1...80 where Double(h) * f0 < 0.45 * sampleRateHz {
        value += amplitude(Double(h) * f0) * cos(2 * .pi * Double(h) * cycles)
      }
      cycles += f0Hz((Double(n) + 0.5) / sampleRateHz) / sampleRateHz
      // The sum of twelve uniform numbers is nearly normal, with variance 1.
      let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
      samples.append(Float(value + noiseRms * noise))
    }
    return Signal(samples, sampleRateHz: sampleRateHz)
  }
}

extension Signal {
  /// Returns the difference of the samples.
  package func minus(_ other: Signal) -> Signal {
    Signal(zip(samples, other.samples).map { $0 - $1 }, sampleRateHz: sampleRateHz)
  }

  /// Returns the power in a band, by a Fourier transform over the whole signal.
  package func power(_ band: Range<Double>) -> Double {
    var transform = FourierTransform(count: count)
    transform.forward(samples.span)
    let perBin = sampleRateHz / Double(count)
    return (0..<transform.binCount).reduce(0) { sum, bin in
      band.contains(Double(bin) * perBin) ? sum + Double(transform[bin].power) : sum
    }
  }
}

/// Returns a ratio of powers in decibels.
package func decibels(_ power: Double, over reference: Double) -> Double {
  10 * log10(power / reference)
}
