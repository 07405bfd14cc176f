import DSP
import Foundation

/// Converts a stream to eight times its sample rate and back, for nonlinear processing with less
/// aliasing.
///
/// Both directions pass twice the rate: a steep filter is cheap there, and a short one is enough
/// above. All are linear-phase. Upwards, images of frequencies below 0.85 of the Nyquist frequency
/// are 68 dB down; downwards, frequencies above it are 62 dB down, and those below 0.79 of it stay
/// within 0.1 dB.
///
/// Each stage reads before it writes, which costs four samples of latency: a wide read of samples
/// just written one by one would stall the processor at every stage.
///
/// - Cost: about 270 multiplications a sample. Allocates in `init` only.
/// - Source: Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983; Kaiser's formulas
///   as in Oppenheim and Schafer, 7.6.
struct Oversampler: ~Copyable {
  static var factor: Int { @_noLocks get { 8 } }
  /// The number of samples that effects collect before they process them together.
  static var longestStretch: Int { @_noLocks get { 32 } }
  /// The latency from `up` to `down`, without that of processing in between.
  static var latencySamples: Int { @_noLocks get { 42 } }

  // Up: 17 samples of the rate, then 6 of twice the rate.
  private let midway = RealtimeArray<Float>(Design.midway)
  private var atRate = HistoryBuffer(longest: 31, window: 32)
  private let quarters = RealtimeArray<Float>(Design.quarters)
  private var atTwice = HistoryBuffer(longest: 15, window: 16)
  // Down: 5 samples of twice the rate, then 39.
  private let short = RealtimeArray<Float>(Design.short)
  private var atEight = HistoryBuffer(longest: 40, window: 40)
  private let steep = RealtimeArray<Float>(Design.steep)
  private var kept = HistoryBuffer(longest: 80, window: 80)

  @_noLocks mutating func reset() {
    atRate.reset()
    atTwice.reset()
    atEight.reset()
    kept.reset()
  }

  /// Takes a sample; returns the eight from it to the next, the earliest first.
  @inline(__always) @_noLocks mutating func up(_ sample: Float) -> SIMD8<Float> {
    let first = atTwice.count &- 9
    var (even, odd) = (quarters[uncheckedEightAt: 0] * atTwice[first], SIMD8<Float>.zero)
    var tap = 1
    while tap < 9 {
      odd += quarters[uncheckedEightAt: 8 &* tap] * atTwice[first &+ tap]
      even += quarters[uncheckedEightAt: 8 &* tap &+ 8] * atTwice[first &+ tap &+ 1]
      tap &+= 2
    }
    atTwice.push(atRate[delay: 16])
    atTwice.push(atRate.dot(midway, delay: 0))
    atRate.push(sample)
    return even + odd
  }

  /// Takes eight samples, the earliest first; returns one.
  @inline(__always) @_noLocks mutating func down(_ eight: SIMD8<Float>) -> Float {
    let sample = kept.dot(steep, delay: 0)
    kept.push(atEight.dot(short, delay: 4))
    kept.push(atEight.dot(short, delay: 0))
    atEight.push(eight)
    return sample
  }
}

/// The coefficients; each filter passes a constant unchanged.
private enum Design {
  /// The value midway between the 16th and the 17th of 32 samples.
  static let midway = whole(
    (0..<32).map { sinc(Double($0) - 15.5, cutoff: 1, reach: 16, beta: 7.3) })

  /// Rows of eight coefficients, one row for each of 9 samples of twice the rate: the first four of
  /// a row for the quarters of the stretch after the fourth sample, the others for that after the
  /// fifth.
  static let quarters: [Float] = {
    var rows = [Float](repeating: 0, count: 9 * 8)
    for phase in 0..<4 {
      let place = Double(phase) / 4
      let taps = whole((-3...4).map { sinc(Double($0) - place, cutoff: 1, reach: 4, beta: 6.8) })
      for (tap, value) in taps.enumerated() {
        rows[8 * tap + phase] = value
        rows[8 * (tap + 1) + phase + 4] = value
      }
    }
    return rows
  }()

  /// 31 coefficients at eight times the rate, after a 0 for the oldest.
  static let short =
    [0] + whole((-15...15).map { sinc(Double($0), cutoff: 0.25, reach: 16, beta: 6.8) })

  /// 77 coefficients at twice the rate, after zeros for the oldest.
  static let steep =
    [0, 0, 0] + whole((-38...38).map { sinc(Double($0), cutoff: 0.452, reach: 39, beta: 6.2) })

  private static func sinc(_ x: Double, cutoff: Double, reach: Double, beta: Double) -> Double {
    let wave = x == 0 ? cutoff : sin(.pi * cutoff * x) / (.pi * x)
    return wave * Window.kaiser(beta: beta).value(at: x / reach)
  }

  private static func whole(_ taps: [Double]) -> [Float] {
    let sum = taps.reduce(0, +)
    return taps.map { Float($0 / sum) }
  }
}

extension HistoryBuffer {
  /// Returns the dot product of `taps`, a multiple of 16, and as many samples ending `delay`
  /// samples ago, the oldest first. It needs a window of all taps.
  @inline(__always) @_noLocks func dot(
    _ taps: borrowing RealtimeArray<Float>, delay: Int
  ) -> Float {
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let first = place(of: count &- delay &- taps.count)
    var i = 0
    while i < taps.count {
      even += taps[uncheckedEightAt: i] * eight(inWindow: first &+ i)
      odd += taps[uncheckedEightAt: i &+ 8] * eight(inWindow: first &+ i &+ 8)
      i &+= 16
    }
    let all = even + odd
    let four = SIMD4(all[0], all[1], all[2], all[3]) + SIMD4(all[4], all[5], all[6], all[7])
    return (four[0] + four[2]) + (four[1] + four[3])
  }
}
