import Foundation

/// Second-order sections of eight filters, one in each lane.
///
/// - Source: Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients".
private struct Sections {
  private var b0 = SIMD8<Double>.zero
  private var b1 = SIMD8<Double>.zero
  private var b2 = SIMD8<Double>.zero
  private var a1 = SIMD8<Double>.zero
  private var a2 = SIMD8<Double>.zero
  private var s1 = SIMD8<Double>.zero
  private var s2 = SIMD8<Double>.zero

  /// - Parameters:
  ///   - hz: corner of each filter, at most eight; unused lanes give 0.
  ///   - isHigh: passes what lies above the corner, otherwise what lies below.
  init(_ hz: [Double], _ rateHz: Double, quality: Double, isHigh: Bool) {
    precondition(hz.count <= 8, "one filter in each lane")
    for (lane, hz) in hz.enumerated() {
      let angle = 2 * Double.pi * hz / rateHz
      let alpha = sin(angle) / (2 * quality)
      let a0 = 1 + alpha
      let middle = (isHigh ? -1 - cos(angle) : 1 - cos(angle)) / a0
      let outer = abs(middle) / 2
      (b0[lane], b1[lane], b2[lane]) = (outer, middle, outer)
      (a1[lane], a2[lane]) = (-2 * cos(angle) / a0, (1 - alpha) / a0)
    }
  }

  @inline(__always) mutating func process(_ x: SIMD8<Double>) -> SIMD8<Double> {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }
}

/// Qualities of the two sections of a Butterworth filter of fourth order.
private let qualities = (low: 0.541196100146197, high: 1.306562964876377)

/// Eight low-pass filters of fourth order after Butterworth, one in each lane.
struct LowPassFilters {
  private var first: Sections
  private var second: Sections

  init(_ hz: [Double], _ rateHz: Double) {
    first = Sections(hz, rateHz, quality: qualities.low, isHigh: false)
    second = Sections(hz, rateHz, quality: qualities.high, isHigh: false)
  }

  @inline(__always) mutating func process(_ x: SIMD8<Double>) -> SIMD8<Double> {
    second.process(first.process(x))
  }
}

/// Eight band-pass filters, one in each lane: a high-pass and a low-pass filter of fourth order
/// each.
struct BandPassFilters {
  private var first: Sections
  private var second: Sections
  private var above: LowPassFilters

  init(_ bands: [(lowHz: Double, highHz: Double)], _ rateHz: Double) {
    let lowHz = bands.map(\.lowHz)
    first = Sections(lowHz, rateHz, quality: qualities.low, isHigh: true)
    second = Sections(lowHz, rateHz, quality: qualities.high, isHigh: true)
    above = LowPassFilters(bands.map(\.highHz), rateHz)
  }

  @inline(__always) mutating func process(_ x: SIMD8<Double>) -> SIMD8<Double> {
    above.process(second.process(first.process(x)))
  }
}
