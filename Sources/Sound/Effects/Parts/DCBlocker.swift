import DSP

/// Removes DC: a first-order high-pass at 10 Hz.
///
/// - Source: the trapezoidal one-pole of Zavalishin, "The Art of VA Filter Design".
struct DCBlocker {
  private let share: Double
  private var memory = 0.0

  init(sampleRateHz: Double) {
    let tangent = RealtimeMath.tangent(.pi * 10 / sampleRateHz)
    share = tangent / (1 + tangent)
  }

  /// The time until DC has decayed by 60 dB: ln 1000 time constants.
  @_noLocks static func tailSamples(sampleRateHz: Double) -> Int {
    Int(6.908 / (2 * .pi * 10) * sampleRateHz) + 1
  }

  @_noLocks mutating func reset() { memory = 0 }

  @inline(__always) @_noLocks mutating func pass(_ sample: Float) -> Float {
    let step = share * (Double(sample) - memory)
    let constant = memory + step
    memory = (constant + step).flushed
    return sample - Float(constant)
  }
}
