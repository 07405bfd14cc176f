import DSP
import Foundation

/// The input stage of a streaming tracker: the voice without rumble or hiss, at a fast rate of 20
/// to 40 kHz for measuring periods, and at a slow rate of about 8 kHz for finding them.
struct PitchFront: ~Copyable {
  /// Input samples per fast sample.
  let quickFactor: Int
  /// Input samples per slow sample.
  let slowFactor: Int
  let quickRateHz: Double
  let slowRateHz: Double
  /// Delay of the fast sound, and below of the slow sound, in samples of the input.
  let quickDelaySamples: Double
  let slowDelaySamples: Double

  private var quickFilter: CausalDecimator
  private var slowFilter: CausalDecimator
  private var rumble: HighPass
  private var phase = 0  // samples since the last fast one

  init(sampleRateHz: Double) {
    quickFactor = max(1, Int(sampleRateHz / 20_000))
    quickRateHz = sampleRateHz / Double(quickFactor)
    let factor = max(1, Int((quickRateHz / 8_000).rounded()))
    slowFactor = quickFactor * factor
    slowRateHz = quickRateHz / Double(factor)
    quickFilter = CausalDecimator(
      factor: quickFactor, passHz: 3_500, stopHz: 9_000, sampleRateHz: sampleRateHz)
    slowFilter = CausalDecimator(
      factor: factor, passHz: 0.25 * slowRateHz, stopHz: 0.65 * slowRateHz,
      sampleRateHz: quickRateHz)
    quickDelaySamples = quickFilter.delaySamples
    slowDelaySamples = quickDelaySamples + slowFilter.delaySamples * Double(quickFactor)
    rumble = HighPass(cutoffHz: 45, sampleRateHz: quickRateHz)
  }

  @_noLocks mutating func reset() {
    quickFilter.reset()
    slowFilter.reset()
    rumble.reset()
    phase = 0
  }

  /// Buffers as many samples of a block as fit; returns the index after the last.
  @_noLocks mutating func hear(_ block: Span<Float>, _ range: Range<Int>) -> Int {
    let end = min(range.upperBound, range.lowerBound + CausalDecimator.mostWaiting)
    for i in range.lowerBound..<end {
      let sample = block[i]
      // Limit to four times full scale, above any voice, so that bursts don't mask what follows.
      // Values beyond any converter's range count as silence.
      quickFilter.put(sample.magnitude <= 1e9 ? min(max(sample, -4), 4) : 0)
    }
    return end
  }

  /// Advances by one buffered sample; returns the fast sample that it completes, if any.
  @_noLocks mutating func quicken() -> Float? {
    phase &+= 1
    guard phase == quickFactor, let quick = quickFilter.next() else { return nil }
    phase = 0
    return rumble.take(quick)
  }

  @_noLocks mutating func slow(_ quick: Float) -> Float? { slowFilter.take(quick) }
}

/// A second-order Butterworth high-pass filter.
///
/// - Source: Oppenheim and Schafer, 7.1, by the bilinear transform.
private struct HighPass {
  private let gain: Double
  private let a1: Double
  private let a2: Double
  private var (s1, s2) = (0.0, 0.0)

  init(cutoffHz: Double, sampleRateHz: Double) {
    let k = tan(.pi * cutoffHz / sampleRateHz)
    let norm = 1 / (1 + 2.0.squareRoot() * k + k * k)
    gain = norm
    a1 = 2 * (k * k - 1) * norm
    a2 = (1 - 2.0.squareRoot() * k + k * k) * norm
  }

  @_noLocks mutating func reset() { (s1, s2) = (0, 0) }

  @_noLocks mutating func take(_ sample: Float) -> Float {
    let x = Double(sample) * gain
    let y = x + s1
    s1 = -2 * x - a1 * y + s2
    s2 = x - a2 * y
    // Denormal numbers would make silence cost more than sound.
    if s1.magnitude + s2.magnitude < 1e-20 { (s1, s2) = (0, 0) }
    return Float(y)
  }
}
