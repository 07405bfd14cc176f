import DSP

/// Two delay lines whose ends are led back to their beginnings, softer and duller each time round.
///
/// ```
/// line  = input + back        back = feedback * lowpass(line, later by the delay)
/// ```
///
/// The low-pass has one pole, `H(z) = a / (1 - (1 - a) / z)`, with `a` such that the loss at
/// `dampingHz` is 3 dB and none at 0 Hz. Changes of the delay crossfade for 50 ms.
struct EchoLoop: ~Copyable {
  struct Amounts: Equatable {
    var delaySeconds: Double
    var feedback: Double
    /// From 20 kHz, or from 0.45 of the sample rate, there is no damping.
    var dampingHz: Double
    /// The share of each end that is led to the other line's beginning.
    var crossing: Double

    @_noLocks init(delaySeconds: Double, feedback: Double, dampingHz: Double, crossing: Double) {
      (self.delaySeconds, self.feedback) = (delaySeconds, feedback)
      (self.dampingHz, self.crossing) = (dampingHz, crossing)
    }
  }

  private var left: HistoryBuffer
  private var right: HistoryBuffer
  private var tap: FadingTap
  private var feedback: Ramp
  private var opening: Ramp  // `a`
  private var crossing: Ramp
  private var dull = SIMD2<Float>.zero
  private var amounts: Amounts
  private let sampleRateHz: Double
  private let glideSamples: Int

  init(_ amounts: Amounts, longestSeconds: Double, sampleRateHz: Double) {
    self.amounts = amounts
    self.sampleRateHz = sampleRateHz
    let longest = Int(longestSeconds * sampleRateHz) + 1
    left = HistoryBuffer(longest: longest)
    right = HistoryBuffer(longest: longest)
    glideSamples = Int(0.02 * sampleRateHz)
    tap = FadingTap(
      Self.samples(amounts, sampleRateHz), fadeSamples: Int(0.05 * sampleRateHz))
    feedback = Ramp(Float(amounts.feedback))
    opening = Ramp(Self.opening(amounts, sampleRateHz))
    crossing = Ramp(Float(amounts.crossing))
  }

  /// Until what circles is 60 dB down: so many rounds, each later by what the damping delays.
  var tailSamples: Int {
    @_noLocks get {
      let opening = Double(Self.opening(amounts, sampleRateHz))
      let dampingDelay = (1 - opening) / opening
      let round = Double(Self.samples(amounts, sampleRateHz) + 1) + dampingDelay
      return Int(Self.roundsUntilSilent(amounts.feedback) * round + 7 * dampingDelay) + 1
    }
  }

  /// How often sound that goes round and keeps the share `gain` each time, below 1, arrives before
  /// it is 60 dB softer than when it first did.
  @_noLocks static func roundsUntilSilent(_ gain: Double) -> Double {
    guard gain > 0 else { return 1 }
    let rounds = Int(-3 / RealtimeMath.log10(gain)) + 1
    return Double(rounds + 1)
  }

  @_noLocks mutating func reset() {
    left.reset()
    right.reset()
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

  /// Takes a sample of both channels.
  ///
  /// - Returns: what arrives at the ends of the lines, and what is led back from there.
  @inline(__always) @_noLocks mutating func pass(
    _ input: SIMD2<Float>
  ) -> (arriving: SIMD2<Float>, back: SIMD2<Float>) {
    // The newest sample in a line is one sample old until the next is pushed.
    let arriving = tap.read(left, right)
    tap.advance()
    dull = (dull + opening.next() * (arriving - dull)).flushed
    let back = feedback.next() * dull
    let crossed = back + crossing.next() * (SIMD2(back.y, back.x) - back)
    left.push((input.x + crossed.x).flushed)
    right.push((input.y + crossed.y).flushed)
    return (arriving, back)
  }

  /// The place in a line before the push of a sample that is as old as the delay after it.
  @_noLocks private static func samples(_ amounts: Amounts, _ sampleRateHz: Double) -> Int {
    max(Int(amounts.delaySeconds * sampleRateHz + 0.5), 1) - 1
  }

  /// `a`, from `|H|² = 1/2` at `dampingHz`.
  @_noLocks private static func opening(_ amounts: Amounts, _ sampleRateHz: Double) -> Float {
    guard amounts.dampingHz < min(20_000, 0.45 * sampleRateHz) else { return 1 }
    let b = 1 - RealtimeMath.cosine(2 * .pi * amounts.dampingHz / sampleRateHz)
    return Float(RealtimeMath.root(b * b + 2 * b) - b)
  }
}
