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
  /// A second-order Butterworth high-pass filter, and the factor of its input.
  private var rumble: Biquad<Double>
  private let rumbleGain: Double
  private var phase = 0  // samples since the last fast one

  /// Corner of the filter of rumble.
  private static let rumbleHz = 45.0

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
    let k = tan(.pi * Self.rumbleHz / quickRateHz)
    rumbleGain = 1 / (1 + 2.0.squareRoot() * k + k * k)
    rumble = Biquad(
      b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * rumbleGain,
      a2: (1 - 2.0.squareRoot() * k + k * k) * rumbleGain)
  }

  @_noLocks mutating func reset() {
    quickFilter.reset()
    slowFilter.reset()
    rumble.reset()
    phase = 0
  }

  /// Buffers as many samples of a block as fit; returns the index after the last.
  @_noLocks mutating func hear(_ block: Span<Float>, _ range: Range<Int>) -> Int {
    let end = min(range.upperBound, range.lowerBound + CausalDecimator.maxWaiting)
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
    let high = rumble.next(Double(quick) * rumbleGain)
    rumble.flush()
    return Float(high)
  }

  @_noLocks mutating func slow(_ quick: Float) -> Float? { slowFilter.take(quick) }
}
