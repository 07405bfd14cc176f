import DSP
import Foundation

/// A Butterworth band-pass filter of eight poles, equal to `butter(4, [low high])` of MATLAB and
/// SciPy.
///
/// - Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", 7.1: prototype, band
///   transformation, bilinear transformation.
struct ButterworthBand {
  /// The coefficients of four sections with zeros at 0 Hz and at half the sample rate.
  private var poles: [(a1: Double, a2: Double)] = []
  /// Factor of the input.
  private let gain: Double

  /// - Parameters: the band's edges, 3 dB down, above 0 and below half the sample rate.
  init(_ lowHz: Double, _ highHz: Double, sampleRateHz: Double) {
    precondition(0 < lowHz && lowHz < highHz && highHz < sampleRateHz / 2, "a band within reach")
    // Edges in units of twice the sample rate, prewarped for the bilinear transformation.
    let (low, high) = (tan(.pi * lowHz / sampleRateHz), tan(.pi * highHz / sampleRateHz))
    let (width, centre) = (high - low, (low * high).squareRoot())
    let turn = 2 * atan(centre)
    var gain = 1.0
    for angle in [5 * Double.pi / 8, 7 * Double.pi / 8] {
      let half = Complex(cos(angle), sin(angle)) * Complex(width / 2, 0)
      let root = (half * half - Complex(centre * centre, 0)).squareRoot
      for pole in [half + root, half - root] {
        // A pole and its mirror image, with zeros at 0 Hz and at half the sample rate.
        let z = (Complex(1, 0) + pole) / (Complex(1, 0) - pole)
        let (a1, a2) = (-2 * z.re, z.re * z.re + z.im * z.im)
        poles.append((a1, a2))
        let above = Complex(1 - cos(2 * turn), sin(2 * turn))
        let below = Complex(
          1 + a1 * cos(turn) + a2 * cos(2 * turn), -a1 * sin(turn) - a2 * sin(2 * turn))
        gain *= below.magnitude / above.magnitude
      }
    }
    self.gain = gain
  }

  /// Filters one sound, or several side by side, from zero initial state; returns every `every`th sample.
  func apply<Value: FilterValue>(_ samples: [Value], every: Int = 1) -> [Value] {
    func section(_ index: Int) -> Biquad<Value> {
      Biquad(
        b0: Value(repeating: 1), b1: Value(repeating: 0), b2: Value(repeating: -1),
        a1: Value(repeating: poles[index].a1), a2: Value(repeating: poles[index].a2))
    }
    // All sections in one pass: while one waits for its last output, the others work.
    var (first, second, third, fourth) = (section(0), section(1), section(2), section(3))
    let gain = Value(repeating: gain)
    var filtered: [Value] = []
    filtered.reserveCapacity(samples.count / every + 1)
    for (index, sample) in samples.enumerated() {
      let low = second.next(first.next(gain * sample))
      let output = fourth.next(third.next(low))
      if index.isMultiple(of: every) { filtered.append(output) }
    }
    return filtered
  }
}

extension Complex {
  /// The root in the right half of the plane.
  fileprivate var squareRoot: Complex {
    let size = ((magnitude + abs(re)) / 2).squareRoot()
    guard size > 0 else { return self }
    return re >= 0
      ? Complex(size, im / (2 * size))
      : Complex(abs(im) / (2 * size), im < 0 ? -size : size)
  }
}
