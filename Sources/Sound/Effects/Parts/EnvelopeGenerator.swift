import DSP

/// The gain of a note over its life: attack, decay, sustain, release.
///
/// The attack is linear from the current gain to 1, with the slope of a full one. Decay and release
/// are exponential, with the time in which the distance to their end falls by 60 dB. Within 1e-6 of
/// the end they have arrived.
struct EnvelopeGenerator {
  private enum Stage { case rest, attack, decay, release }

  private(set) var gain = 0.0
  private var stage = Stage.rest
  private var attackStep = 1.0
  private var decayShare = 1.0
  private var sustain = 1.0
  private var releaseShare = 1.0

  /// Sets the times and the level; takes effect within a note too.
  @_noLocks mutating func set(
    attackMs: Double, decayMs: Double, sustain: Double, releaseMs: Double, sampleRateHz: Double
  ) {
    let samplesPerMs = sampleRateHz / 1000
    attackStep = 1 / (attackMs * samplesPerMs)
    decayShare = Self.share(perSampleOver: decayMs * samplesPerMs)
    self.sustain = sustain
    releaseShare = Self.share(perSampleOver: releaseMs * samplesPerMs)
  }

  @_noLocks mutating func reset() { (gain, stage) = (0, .rest) }

  var isPressed: Bool { @_noLocks get { stage == .attack || stage == .decay } }

  @_noLocks mutating func press() { stage = .attack }

  @_noLocks mutating func release() {
    if isPressed { stage = .release }
  }

  /// The gain for the next sample.
  @inline(__always) @_noLocks mutating func next() -> Double {
    switch stage {
    case .rest: break
    case .attack:
      gain += attackStep
      if gain >= 1 { (gain, stage) = (1, .decay) }
    case .decay: gain = Self.nearer(gain, to: sustain, decayShare)
    case .release:
      gain = Self.nearer(gain, to: 0, releaseShare)
      if gain == 0 { stage = .rest }
    }
    return gain
  }

  @inline(__always) @_noLocks
  private static func nearer(_ gain: Double, to end: Double, _ share: Double) -> Double {
    let distance = end - gain
    return abs(distance) < 1e-6 ? end : gain + share * distance
  }

  /// The share per sample that leaves a thousandth after `samples`.
  @_noLocks private static func share(perSampleOver samples: Double) -> Double {
    1 - RealtimeMath.power(0.001, 1 / samples)
  }
}
