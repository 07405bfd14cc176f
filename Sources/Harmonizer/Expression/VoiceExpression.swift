import DSP
import Music

/// All that makes one voice of the choir sing its target like a person: late by a little, gliding,
/// scooping, swaying and drifting.
///
/// It stands between a `Conductor` and a shifter. A note that begins is taken up after its delay.
/// The glide leads from key to key, while what the target is beside its key, the tuning and the
/// lead's own vibrato, passes at once. With the default settings the target passes
/// unchanged but for rounding.
public struct VoiceExpression: Sendable {
  public struct Settings: ParameterizedSettings {
    public var glide = Glide.Settings()
    public var scoop = OnsetScoop.Settings()
    public var vibrato = Vibrato.Settings()
    public var drift = PitchDrift.Settings()
    public var jitter = OnsetJitter.Settings()

    public static let parameters: [Parameter<Settings>] = [
      .init("glide", part: \.glide), .init("scoop", part: \.scoop),
      .init("vibrato", part: \.vibrato), .init("drift", part: \.drift),
      .init("jitter", part: \.jitter),
    ]

    public init() {}
  }

  private var glide: Glide
  private var scoop: OnsetScoop
  private var vibrato: Vibrato
  private var drift: PitchDrift
  private var jitter: OnsetJitter
  private var current = (key: 0.0, beside: 0.0)  // semitones
  private var onsets = 0
  private var wait = 0  // samples until the note that is due begins
  private var isDue = false
  private var isSilent = true

  /// - Parameter seed: another for each voice, or they drift together.
  public init(_ settings: Settings, seed: UInt64, sampleRateHz: Double) {
    glide = Glide(settings.glide, sampleRateHz: sampleRateHz)
    scoop = OnsetScoop(settings.scoop, sampleRateHz: sampleRateHz)
    vibrato = Vibrato(settings.vibrato, sampleRateHz: sampleRateHz)
    drift = PitchDrift(settings.drift, seed: seed, sampleRateHz: sampleRateHz)
    jitter = OnsetJitter(settings.jitter, seed: ~seed, sampleRateHz: sampleRateHz)
  }

  /// Returns the frequency at the end of a block; `nil` in silence.
  ///
  /// - Parameter samples: how long the block is.
  @_noLocks public mutating func next(_ target: Conductor.Target, samples: Int) -> Double? {
    let drift = drift.next(samples: samples)
    guard let hz = target.hz, let key = target.key else {
      (isSilent, isDue) = (true, false)
      return nil
    }
    if target.onsets != onsets {
      onsets = target.onsets
      (isDue, wait) = (true, jitter.nextDelaySamples())
    }
    wait -= min(wait, samples)
    if isDue, wait > 0, isSilent { return nil }
    if !isDue || wait == 0 {
      let pitch = NoteNumber(hz: hz).semitones
      current = (Double(key), pitch - Double(key))
    }
    if isDue, wait == 0 {
      isDue = false
      scoop.begin()
      vibrato.begin()
    }
    glide.aim(at: current.key, jumps: isSilent)
    isSilent = false
    let cents = scoop.next(samples: samples) + vibrato.next(samples: samples) + drift
    let pitch = glide.next(samples: samples) + current.beside + cents / 100
    return NoteNumber(pitch).hz
  }

  @_noLocks public mutating func reset() {
    glide.reset()
    scoop.reset()
    vibrato.reset()
    drift.reset()
    jitter.reset()
    (current, onsets, wait, isDue, isSilent) = ((0, 0), 0, 0, false, true)
  }
}
