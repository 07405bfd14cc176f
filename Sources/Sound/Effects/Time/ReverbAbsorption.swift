import DSP

/// The absorption of sixteen delay lines per pass, which gives the reverberation time set at every
/// frequency.
///
/// A line of `L` samples must lose `60 L / (T(f) fs)` dB. A gain gives the loss at mid frequencies;
/// a first-order shelf each gives the difference at low and high frequencies. In dB a small shelf
/// is proportional to its gain at every frequency, so that lines of all lengths agree on `T(f)`.
///
/// - Source: Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES
///   90th convention, 1991; proportional shelves: Jot, "Proportional parametric equalizers", AES
///   139th convention, 2015.
struct ReverbAbsorption: Sendable {
  private var lowB0: SIMD16<Float>  // these two include the gain
  private var lowB1: SIMD16<Float>
  private var lowA1: SIMD16<Float>
  private var highB0: SIMD16<Float>
  private var highB1: SIMD16<Float>
  private var highA1: SIMD16<Float>

  /// The mean share of energy passed at mid frequencies.
  let passing: Double

  @_noLocks init(_ settings: Reverb.Settings, lengths: SIMD16<Int32>, sampleRateHz: Double) {
    (lowB0, lowB1, lowA1) = (.zero, .zero, .zero)
    (highB0, highB1, highA1) = (.zero, .zero, .zero)
    let low = Self.angle(settings.lowCrossoverHz, sampleRateHz)
    let high = Self.angle(settings.highCrossoverHz, sampleRateHz)
    var passing = 0.0
    for line in 0..<16 {
      // In octaves of amplitude; 60 dB is log2(1000).
      let loss =
        9.965_784_284_662_087 * Double(lengths[line])
        / (settings.decaySeconds * sampleRateHz)
      let gain = RealtimeMath.exp2(-loss)
      passing += gain * gain / 16
      let lowRoot = RealtimeMath.exp2(-loss * (1 / settings.lowDecay - 1) / 2)
      let lowScale = 1 / (1 + low / lowRoot)
      lowB0[line] = Float(gain * (1 + low * lowRoot) * lowScale)
      lowB1[line] = Float(gain * (low * lowRoot - 1) * lowScale)
      lowA1[line] = Float((low / lowRoot - 1) * lowScale)
      let highRoot = RealtimeMath.exp2(-loss * (1 / settings.highDecay - 1) / 2)
      let highScale = 1 / (1 / highRoot + high)
      highB0[line] = Float((highRoot + high) * highScale)
      highB1[line] = Float((high - highRoot) * highScale)
      highA1[line] = Float((high - 1 / highRoot) * highScale)
    }
    self.passing = passing
  }

  /// The change per step to reach `target` in `count` steps.
  @_noLocks func step(to target: ReverbAbsorption, count: Int) -> ReverbAbsorption {
    var step = target
    let share = 1 / Float(count)
    step.lowB0 = share * (target.lowB0 - lowB0)
    step.lowB1 = share * (target.lowB1 - lowB1)
    step.lowA1 = share * (target.lowA1 - lowA1)
    step.highB0 = share * (target.highB0 - highB0)
    step.highB1 = share * (target.highB1 - highB1)
    step.highA1 = share * (target.highA1 - highA1)
    return step
  }

  @_noLocks mutating func move(by step: ReverbAbsorption) {
    lowB0 += step.lowB0
    lowB1 += step.lowB1
    lowA1 += step.lowA1
    highB0 += step.highB0
    highB1 += step.highB1
    highA1 += step.highA1
  }

  /// The sound after absorption; the caller keeps the states of both shelves.
  @inline(__always) @_noLocks func absorb(
    _ sound: SIMD16<Float>, _ lowMemory: inout SIMD16<Float>, _ highMemory: inout SIMD16<Float>
  ) -> SIMD16<Float> {
    let between = lowB0 * sound + lowMemory
    lowMemory = (lowB1 * sound - lowA1 * between).flushed
    let left = highB0 * between + highMemory
    highMemory = (highB1 * between - highA1 * left).flushed
    return left
  }

  @_noLocks private static func angle(_ hz: Double, _ sampleRateHz: Double) -> Double {
    RealtimeMath.tangent(.pi * min(hz / sampleRateHz, 0.45))
  }
}
