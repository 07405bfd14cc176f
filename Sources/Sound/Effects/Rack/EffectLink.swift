import DSP

/// An effect in a rack, with dry/wet mix, bypass and protection against bad samples.
///
/// The dry sound is delayed by the effect's latency. Bypassed, and at mix 0, the link is that delay
/// bit for bit. Samples that are NaN, infinite or more than 60 dB above full scale count as 0, so
/// that effects needn't check them. Changes of mix and bypass glide for 20 ms, after which a silent
/// effect isn't run; it is reset when it is needed.
///
/// - Allocates: in `init` only. A class, since racks pass links around.
public final class EffectLink: StereoUnit {
  /// The running effect.
  private let effect: RunningEffect
  /// The share of wet sound; 0 when bypassed.
  private var wet: Ramp
  private var mix: Double
  private var isOn: Bool
  private let glideSamples: Int
  private var dry: StereoDelay
  private var isResting: Bool
  private var wetLeft = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var wetRight = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)

  /// - Parameter mix: nil for the effect's default.
  public init(
    _ settings: some EffectSettings, mix: Double? = nil, isOn: Bool = true, sampleRateHz: Double
  ) throws(SettingsError) {
    let mix = mix ?? type(of: settings).defaultMix
    try require("mix", mix, in: 0...1)
    effect = try settings.makeRunning(sampleRateHz: sampleRateHz)
    (self.mix, self.isOn) = (mix, isOn)
    let share = isOn ? Float(mix) : 0
    wet = Ramp(share)
    isResting = share == 0
    glideSamples = Int(0.02 * sampleRateHz)
    dry = StereoDelay(samples: effect.latencySamples)
  }

  public override var latencySamples: Int { effect.latencySamples }
  public override var tailSamples: Int { effect.tailSamples }

  public override func reset() {
    effect.reset()
    dry.reset()
    wet.finish()
    isResting = wet.value == 0
  }

  /// - Returns: true if `settings` are of this effect; otherwise nothing has changed.
  @discardableResult
  public func apply(_ settings: any EffectSettings) -> Bool { effect.apply(settings) }

  public func setMix(_ share: Double) {
    guard share.isFinite else { return }
    mix = min(max(share, 0), 1)
    aim()
  }

  public func setOn(_ isOn: Bool) {
    self.isOn = isOn
    aim()
  }

  private func aim() {
    wet.aim(at: isOn ? Float(mix) : 0, overSamples: glideSamples)
    guard isResting, wet.isMoving else { return }
    effect.reset()
    isResting = false
  }

  /// Processes in place.
  public override func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let (count, other) = (left.count, right.count)
    precondition(count == other, "counts differ")
    for start in stride(from: 0, to: count, by: CrossfadingSlot.longestStretch) {
      process(&left, &right, start..<min(start + CrossfadingSlot.longestStretch, count))
    }
  }

  private func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, _ range: Range<Int>
  ) {
    let (start, count) = (range.lowerBound, range.count)
    for i in 0..<count {
      let sound = SIMD2(left[start + i].soundOrZero, right[start + i].soundOrZero)
      (wetLeft[i], wetRight[i]) = (sound.x, sound.y)
      let late = dry.next(sound)
      (left[start + i], right[start + i]) = (late.x, late.y)
    }
    guard !isResting else { return }
    var wetL = wetLeft.mutablePrefix(count)
    var wetR = wetRight.mutablePrefix(count)
    effect.process(&wetL, &wetR)
    for i in 0..<count {
      let share = wet.next()
      let dryShare = 1 - share
      left[start + i] = dryShare * left[start + i] + share * wetL[i]
      right[start + i] = dryShare * right[start + i] + share * wetR[i]
    }
    isResting = wet.value == 0 && !wet.isMoving
  }
}
