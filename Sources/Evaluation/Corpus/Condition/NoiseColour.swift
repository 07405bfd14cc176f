import DSP
import Foundation

/// The spectrum of a noise.
public enum NoiseColour: String, CaseIterable, Codable, Sendable {
  /// Equal power in every hertz, up to half the sample rate.
  case white
  /// Equal power in every octave from 20 Hz up to half the sample rate; nothing below.
  case pink

  private static let lowestHz = 20.0

  /// Returns Gaussian noise of exactly this root mean square.
  ///
  /// It is made in the frequency domain, so the spectrum is exact. The same seed and count give the
  /// same noise; a longer noise does not begin with a shorter one.
  func samples(count: Int, sampleRateHz: Double, rms: Double, seed: UInt64) -> [Float] {
    guard count > 0 else { return [] }
    var transform = FourierTransform(count: Convolution.roundedUp(count))
    var random = SeededGenerator(seed: seed)
    fill(&transform, sampleRateHz, &random)
    transform.inverse()
    let result = transform.samples
    let noise = (0..<count).map { result[$0] }
    let power = noise.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
    let gain = power > 0 ? Float(rms / power.squareRoot()) : 0
    return noise.map { $0 * gain }
  }

  private func fill(
    _ transform: inout FourierTransform, _ rateHz: Double, _ random: inout SeededGenerator
  ) {
    let hzPerBin = rateHz / Double(transform.count)
    var spectrum = transform.spectrum
    for bin in 0..<spectrum.count {
      let (re, im) = random.gaussianPair()
      let gain = self.gain(atHz: Double(bin) * hzPerBin)
      // The values at 0 Hz and at half the rate are real; both are inaudible and left out.
      let inside = bin > 0 && bin < spectrum.count - 1
      spectrum[bin] = inside ? ComplexFloat(Float(re * gain), Float(im * gain)) : ComplexFloat(0, 0)
    }
  }

  private func gain(atHz hz: Double) -> Double {
    switch self {
    case .white: 1
    case .pink: hz >= Self.lowestHz ? 1 / hz.squareRoot() : 0
    }
  }
}
