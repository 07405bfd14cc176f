import DSP

/// Two delay lines with feedback, attenuated and low-passed each time.
///
/// ```
/// line  = input + back        back = feedback * lowpass(line, later by the delay)
/// ```
///
/// The low-pass has one pole, `H(z) = a / (1 - (1 - a) / z)`, with `a` such that the loss is 3 dB
/// at `dampingHz` and none at 0 Hz. Changes of the delay crossfade over 50 ms.
struct EchoLoop: ~Copyable {
  struct Amounts: Equatable {
    var delaySeconds: Double
    var feedback: Double
    /// The damping frequency; from 20 kHz, or 0.45 of the sample rate, there is no damping.
    var dampingHz: Double
    /// The share of each end that is fed back to the other line.
    var crossing: Double

    @_noLocks init(delaySeconds: Double, feedback: Double, dampingHz: Double, crossing: Double) {
      (self.delaySeconds, self.feedback) = (delaySeconds, feedback)
      (self.dampingHz, self.crossing) = (dampingHz, crossing)
    }
  }

  private var line: StereoLine
  private var tap: FadingTap
  private var feedback = Ramp(0)
  private var opening = Ramp(0)  // `a`
  private var crossing = Ramp(0)
  private var dull = SIMD2<Float>.zero
  private var amounts: Amounts
  private let sampleRateHz: Double
  private let glideSamples: Int

  init(_ amounts: Amounts, longestSeconds: Double, sampleRateHz: Double) {
    self.amounts = amounts
    self.sampleRateHz = sampleRateHz
    line = StereoLine(longest: Int(longestSeconds * sampleRateHz) + 1)
    glideSamples = Int(0.02 * sampleRateHz)
    tap = FadingTap(Self.samples(amounts, sampleRateHz), fadeSamples: Int(0.05 * sampleRateHz))
    apply(amounts)
    reset()
  }

  /// The time until the feedback has decayed by 60 dB, including the delay of the damping.
  var tailSamples: Int {
    @_noLocks get {
      let opening = Double(Self.opening(amounts, sampleRateHz))
      let dampingDelay = (1 - opening) / opening
      let round = Double(Self.samples(amounts, sampleRateHz) + 1) + dampingDelay
      return Int(Self.roundsUntilSilent(amounts.feedback) * round + 7 * dampingDelay) + 1
    }
  }

  /// The number of arrivals of sound with a feedback of `gain`, below 1, until it is 60 dB below
  /// the first.
  @_noLocks static func roundsUntilSilent(_ gain: Double) -> Double {
    guard gain > 0 else { return 1 }
    let rounds = Int(-3 / RealtimeMath.log10(gain)) + 1
    return Double(rounds + 1)
  }

  @_noLocks mutating func reset() {
    line.reset()
    tap.finish()
    feedback.finish()
    opening.finish()
    crossing.finish()
    dull = .zero
  }

  @_noLocks mutating func apply(_ amounts: Amounts) {
    self.amounts = amounts
    tap.aim(at: Self.samples(amounts, sampleRateHz))
    feedback.aim(at: Float(amounts.feedback), overSamples: glideSamples)
    opening.aim(at: Self.opening(amounts, sampleRateHz), overSamples: glideSamples)
    crossing.aim(at: Float(amounts.crossing), overSamples: glideSamples)
  }

  /// Processes a sample of both channels.
  ///
  /// - Returns: the ends of the lines, and the feedback from them.
  @inline(__always) @_noLocks mutating func pass(
    _ input: SIMD2<Float>
  ) -> (arriving: SIMD2<Float>, back: SIMD2<Float>) {
    // Before the next push, the newest sample in a line is one sample old.
    let arriving = tap.read(line)
    tap.advance()
    dull = (dull + opening.next() * (arriving - dull)).flushed
    let back = feedback.next() * dull
    let crossed = back + crossing.next() * (SIMD2(back.y, back.x) - back)
    line.push((input + crossed).flushed)
    return (arriving, back)
  }

  /// The delay in a line, read before the push, that gives the set delay.
  @_noLocks private static func samples(_ amounts: Amounts, _ sampleRateHz: Double) -> Int {
    max(Int(amounts.delaySeconds * sampleRateHz + 0.5), 1) - 1
  }

  /// The coefficient `a`, from `|H|² = 1/2` at `dampingHz`.
  @_noLocks private static func opening(_ amounts: Amounts, _ sampleRateHz: Double) -> Float {
    guard amounts.dampingHz < min(20_000, 0.45 * sampleRateHz) else { return 1 }
    let b = 1 - RealtimeMath.cosine(2 * .pi * amounts.dampingHz / sampleRateHz)
    return Float(RealtimeMath.root(b * b + 2 * b) - b)
  }
}
