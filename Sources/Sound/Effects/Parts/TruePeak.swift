import DSP
import Foundation

/// The true peak of a channel, sample by sample.
///
/// Each sample gives the largest of eight values between the two samples around `delaySamples` ago.
/// Four are from the interpolator of BS.1770, which true-peak meters use, and four from a sinc, one
/// of which is the sample itself. The standard's interpolator errs by up to 0.25 dB, the sinc by
/// 0.01 dB up to 0.35 of the sample rate; both read too little from 0.42 of it on.
///
/// - Cost: 128 multiplications a sample. Allocates in `init` only.
/// - Source: ITU-R BS.1770-4, Annex 2.
struct TruePeak: ~Copyable {
  static var delaySamples: Int { @_noLocks get { 8 } }

  private let taps = RealtimeArray<Float>(Design.rows)
  private var past = HistoryBuffer(longest: 16)

  @_noLocks mutating func reset() { past.reset() }

  @inline(__always) @_noLocks mutating func next(_ sample: Float) -> Float {
    past.push(sample)
    let oldest = past.count &- 16
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var tap = 0
    while tap < 16 {
      even += taps[uncheckedEightAt: 8 &* tap] * past[oldest &+ tap]
      odd += taps[uncheckedEightAt: 8 &* tap &+ 8] * past[oldest &+ tap &+ 1]
      tap &+= 2
    }
    let readings = even + odd
    var largest: Float = 0
    for lane in 0..<8 {
      let size = abs(readings[lane])
      largest = size > largest ? size : largest
    }
    return largest
  }
}

private enum Design {
  /// The coefficients in eight interpolators for each of 16 samples, the oldest first.
  static let rows: [Float] = {
    var rows = [Float](repeating: 0, count: 16 * 8)
    for (lane, taps) in (TruePeakInterpolator.phases + sincs).enumerated() {
      let start = (16 - taps.count) / 2
      for (tap, value) in taps.enumerated() { rows[8 * (start + tap) + lane] = value }
    }
    return rows
  }()

  /// Sincs at the quarters between the eighth and the ninth sample.
  private static let sincs: [[Float]] = (0..<4).map { quarter in
    let taps = (-7...8).map { offset in
      let x = Double(offset) - Double(quarter) / 4
      return (x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * Window.kaiser(beta: 6).value(at: x / 8)
    }
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }
}
