import DSP
import Foundation

/// A Butterworth band-pass filter of eight poles, equal to `butter(4, [low high])` of MATLAB and
/// SciPy.
///
/// - Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", 7.1: prototype, band
///   transformation, bilinear transformation.
struct ButterworthBand {
  /// Four sections with zeros at 0 Hz and at half the sample rate.
  private(set) var sections: [Section] = []
  /// Factor of the input.
  let gain: Double

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
        sections.append(Section(a1: a1, a2: a2))
        let above = Complex(1 - cos(2 * turn), sin(2 * turn))
        let below = Complex(
          1 + a1 * cos(turn) + a2 * cos(2 * turn), -a1 * sin(turn) - a2 * sin(2 * turn))
        gain *= below.magnitude / above.magnitude
      }
    }
    self.gain = gain
  }

  /// Filters a sound from zero initial state.
  func apply(_ samples: [Double]) -> [Double] {
    // All sections in one pass: while one waits for its last output, the others work.
    let (first, second, third, fourth) = (sections[0], sections[1], sections[2], sections[3])
    var (one, two, three, four) = (Memory(), Memory(), Memory(), Memory())
    var filtered = samples
    unsafe filtered.withUnsafeMutableBufferPointer { filtered in
      for i in 0..<filtered.count {
        let low = second.next(first.next(SIMD2(repeating: gain * filtered[i]), &one), &two)
        unsafe filtered[i] = fourth.next(third.next(low, &three), &four)[0]
      }
    }
    return filtered
  }

  /// Filters two sounds at once from zero initial state, and returns every `every`th sample.
  func apply(_ pairs: [SIMD2<Double>], every: Int) -> [SIMD2<Double>] {
    let (first, second, third, fourth) = (sections[0], sections[1], sections[2], sections[3])
    var (one, two, three, four) = (Memory(), Memory(), Memory(), Memory())
    var filtered: [SIMD2<Double>] = []
    filtered.reserveCapacity(pairs.count / every + 1)
    var wait = 0
    for pair in pairs {
      let low = second.next(first.next(gain * pair, &one), &two)
      let sample = fourth.next(third.next(low, &three), &four)
      if wait == 0 {
        filtered.append(sample)
        wait = every
      }
      wait -= 1
    }
    return filtered
  }

  /// The state of a section, of two sounds.
  fileprivate struct Memory {
    var near = SIMD2<Double>.zero
    var far = SIMD2<Double>.zero
  }

  /// A section with zeros at 0 Hz and at half the sample rate, for two sounds at once.
  struct Section {
    let a1: Double
    let a2: Double

    @inline(__always)
    fileprivate func next(_ x: SIMD2<Double>, _ memory: inout Memory) -> SIMD2<Double> {
      let y = x + memory.near
      memory.near = memory.far - a1 * y
      memory.far = -x - a2 * y
      return y
    }
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
