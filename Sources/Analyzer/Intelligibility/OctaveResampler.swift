import DSP
import Foundation

/// Changes a sample rate like Octave's `resample`, on which the intelligibility measures are based.
///
/// The filter is a Kaiser-windowed sinc, 60 dB down half way between the cut-off at half the lower
/// rate and its upper skirt. `Signal.resampled` is better for all other uses.
///
/// - Cost: about 350 multiplications per sample from 48 to 10 kHz. Allocates.
/// - Source: `resample` of Octave's signal package, by way of pystoi's `resample_oct`.
struct OctaveResampler: Sendable {
  private let up: Int
  private let down: Int
  private let halfLength: Int
  /// Coefficients of each phase, in the order of the input samples they meet.
  private let rows: [Double]
  /// Number of coefficients in a row.
  private let width: Int

  init(from inputHz: Int, to outputHz: Int) {
    let divisor = Self.greatestCommonDivisor(inputHz, outputHz)
    (up, down) = (outputHz / divisor, inputHz / divisor)
    let rejectionDb = 60.0
    let cutoff = 1 / (2 * Double(max(up, down)))
    halfLength = Int(((rejectionDb - 8) / (28.714 * cutoff / 10)).rounded(.up))
    let beta = 0.1102 * (rejectionDb - 8.7)
    let taper = Window.kaiser(beta: beta).samples(2 * halfLength + 1)
    var taps = taper.indices.map { [halfLength] index in
      let x = 2 * cutoff * Double(index - halfLength)
      return taper[index] * (x == 0 ? 1 : sin(.pi * x) / (.pi * x))
    }
    let sum = taps.reduce(0, +)
    for i in taps.indices { taps[i] *= Double(up) / sum }
    width = (taps.count + up - 1) / up
    var rows = [Double](repeating: 0, count: up * width)
    for (index, tap) in taps.enumerated() {
      let (step, phase) = index.quotientAndRemainder(dividingBy: up)
      rows[phase * width + width - 1 - step] = tap
    }
    self.rows = rows
  }

  private static let known = TableCache<[Int], OctaveResampler>()

  /// Returns the resampler of two rates; makes it the first time. From 44.1 kHz its filter has
  /// 31,947 coefficients.
  static func shared(from inputHz: Int, to outputHz: Int) -> OctaveResampler {
    known([inputHz, outputHz]) { OctaveResampler(from: inputHz, to: outputHz) }
  }

  /// Returns the sound at the other rate; time 0 stays time 0.
  func apply(_ input: [Float]) -> [Double] {
    guard up != down else { return input.map { Double($0) } }
    // Output sample `n` is the filter centred on input position `n * down`, in units of 1 / `up`.
    let count = (input.count * up + down - 1) / down
    let padding = [Double](repeating: 0, count: width)
    let padded =
      padding + input.map { Double($0) }
      + [Double](repeating: 0, count: halfLength / up + width)
    return (0..<count).map { index in
      let (newest, phase) = (index * down + halfLength).quotientAndRemainder(dividingBy: up)
      return dot(rows, from: phase * width, padded, from: newest + 1, count: width)
    }
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }
}
