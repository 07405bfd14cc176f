import DSP
import Foundation

/// Filters of eight lanes, one after the other.
struct BandFilters {
  private var sections: [Biquad<SIMD8<Double>>]

  /// Qualities of the two sections of a Butterworth filter of fourth order.
  private static let qualities = [0.541196100146197, 1.306562964876377]

  /// Low-pass filters of fourth order after Butterworth.
  ///
  /// - Parameter hz: corner in each lane, at most eight; unused lanes give 0.
  init(below hz: [Double], _ rateHz: Double) {
    sections = Self.qualities.map { Self.section(hz, rateHz, quality: $0, isHigh: false) }
  }

  /// Band-pass filters: a high-pass and a low-pass filter of fourth order each.
  init(_ bands: [(lowHz: Double, highHz: Double)], _ rateHz: Double) {
    sections =
      Self.qualities.map { Self.section(bands.map(\.lowHz), rateHz, quality: $0, isHigh: true) }
      + BandFilters(below: bands.map(\.highHz), rateHz).sections
  }

  @inline(__always) mutating func process(_ input: SIMD8<Double>) -> SIMD8<Double> {
    var value = input
    for i in sections.indices { value = sections[i].next(value) }
    return value
  }

  /// - Parameter isHigh: passes what lies above the corner, otherwise what lies below.
  /// - Source: Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients".
  private static func section(
    _ hz: [Double], _ rateHz: Double, quality: Double, isHigh: Bool
  ) -> Biquad<SIMD8<Double>> {
    precondition(hz.count <= 8, "one filter in each lane")
    var (middle, outer) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    var (a1, a2) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    for (lane, hz) in hz.enumerated() {
      let angle = 2 * Double.pi * hz / rateHz
      let alpha = sin(angle) / (2 * quality)
      let a0 = 1 + alpha
      middle[lane] = (isHigh ? -1 - cos(angle) : 1 - cos(angle)) / a0
      outer[lane] = abs(middle[lane]) / 2
      (a1[lane], a2[lane]) = (-2 * cos(angle) / a0, (1 - alpha) / a0)
    }
    return Biquad(b0: outer, b1: middle, b2: outer, a1: a1, a2: a2)
  }
}
