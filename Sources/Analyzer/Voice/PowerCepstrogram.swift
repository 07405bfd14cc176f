import DSP
import Foundation

/// The power cepstra of frames of a voice: the squared inverse transform of the logarithm of the
/// power spectrum, over quefrency.
struct PowerCepstrogram {
  let firstSeconds: Double
  /// Distance between neighbouring values of a frame.
  let quefrencySeconds: Double
  /// Number of frames.
  let count: Int

  private let hopSeconds: Double
  private let spanSeconds: Double
  private let rateHz: Double
  private let sound: [Double]
  private let taper: [Double]

  /// Corner frequency of the treble boost.
  private static let preEmphasisHz = 50.0

  init(_ signal: Signal, maximumHz: Double) {
    let maximumHz = min(maximumHz, 0.45 * signal.sampleRateHz)
    quefrencySeconds = 1 / (2 * maximumHz)
    hopSeconds = CepstralProminence.hopMs / 1000
    spanSeconds = 6 / CepstralProminence.floorHz
    let slack = signal.durationSeconds - spanSeconds
    count = signal.firstNonFinite == nil && slack >= 0 ? Int(slack / hopSeconds + 1e-9) + 1 : 0
    firstSeconds = (signal.durationSeconds - Double(count - 1) * hopSeconds) / 2

    // At twice the rate that the band needs, its upper end is cut off instead of rolled off.
    rateHz = 4 * maximumHz
    sound =
      count == 0
      ? []
      : Self.emphasized(
        signal.withoutInfrasound().resampled(to: rateHz).samples,
        by: exp(-.pi * Self.preEmphasisHz / maximumHz))
    taper = Self.gaussian(Int((spanSeconds * rateHz).rounded()))
  }

  /// Returns some of the frames, from quefrency 0; `nil` for a silent one.
  func frames(_ range: Range<Int>) -> [[Double]?] {
    let width = taper.count
    let length = powerOfTwo(above: width - 1)
    var forward = FourierTransform(count: length)
    var inverse = FourierTransform(count: length / 2)
    return range.map { frame -> [Double]? in
      let time = firstSeconds + Double(frame) * hopSeconds
      let start = Int(((time - spanSeconds / 2) * rateHz).rounded())
      let cut = (start..<start + width).map { sound.indices.contains($0) ? sound[$0] : 0 }
      let mean = cut.reduce(0, +) / Double(width)
      guard cut.contains(where: { abs($0 - mean) > 1e-7 }) else { return nil }
      let tapered = zip(cut, taper).map { Float(($0 - mean) * $1) }
      return Self.cepstrum(tapered, &forward, &inverse)
    }
  }

  private static func cepstrum(
    _ frame: [Float], _ forward: inout FourierTransform, _ inverse: inout FourierTransform
  ) -> [Double] {
    forward.forward(frame.span)
    var logarithms = inverse.spectrum
    for k in 0..<logarithms.count {
      logarithms[k] = ComplexFloat(Float(log(max(Double(forward[k].power), 1e-30))), 0)
    }
    inverse.inverse()
    let result = inverse.samples
    return (0...result.count / 2).map { index in
      let value = Double(result[index]) / Double(result.count)
      return value * value
    }
  }

  /// Pre-emphasis: subtracts a share of the sample before the last, one sample at the band's own
  /// rate.
  private static func emphasized(_ samples: [Float], by share: Double) -> [Double] {
    samples.indices.map { index in
      Double(samples[index]) - (index < 2 ? 0 : share * Double(samples[index - 2]))
    }
  }

  /// A Gaussian taper that falls to 0 at its ends.
  private static func gaussian(_ count: Int) -> [Double] {
    (0..<count).map { index in
      let phase = (Double(index) + 0.5 - Double(count) / 2) / Double(count)
      return (exp(-48 * phase * phase) - exp(-12)) / (1 - exp(-12))
    }
  }
}
