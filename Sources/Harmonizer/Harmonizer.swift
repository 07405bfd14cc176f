import DSP

/// A choir made of one voice: transposed copies beside the dry lead.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples, nominally ±1. The lead passes undelayed.
public struct Harmonizer: BlockProcessor, ~Copyable {
  /// One member of the choir.
  public struct Voice: Codable, Equatable, Sendable {
    /// Above the lead; negative is below.
    public var intervalSemitones: Double
    public var gain: Double

    public init(intervalSemitones: Double, gain: Double = 1) {
      self.intervalSemitones = intervalSemitones
      self.gain = gain
    }
  }

  /// What a listener can choose; copied unchanged into every report.
  public struct Settings: Codable, Equatable, Sendable {
    public var voices: [Voice]
    /// Level of the untouched lead in the mix.
    public var dryGain = 0.0
    public var engine = DelayLineShifter.Settings()

    public init(
      voices: [Voice], dryGain: Double = 0, engine: DelayLineShifter.Settings = .init()
    ) {
      self.voices = voices
      self.dryGain = dryGain
      self.engine = engine
    }

    public func validate() throws(SettingsError) {
      try require("the number of voices", Double(voices.count), in: 1...8)
      for voice in voices {
        try require(
          "intervalSemitones", voice.intervalSemitones, in: DelayLineShifter.shiftRange)
        try require("gain", voice.gain, in: 0...4)
      }
      try require("dryGain", dryGain, in: 0...4)
      try engine.validate()
    }
  }

  public let settings: Settings
  public let voiceCount: Int
  /// Of the shifted voices; the lead has none.
  public let latencySamples: Int

  private let parts: UnsafeMutableBufferPointer<Part>
  private var scratch: FloatBuffer

  /// A voice at work.
  private struct Part: ~Copyable {
    var shifter: DelayLineShifter
    let initialGain: Float
    var gain: GainRamp
  }

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    parts = try Self.makeParts(settings, sampleRateHz: sampleRateHz)
    scratch = FloatBuffer(count: 256)
    voiceCount = parts.count
    latencySamples = parts[0].shifter.latencySamples
    self.settings = settings
  }

  private static func makeParts(
    _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) -> UnsafeMutableBufferPointer<Part> {
    let parts = UnsafeMutableBufferPointer<Part>.allocate(capacity: settings.voices.count)
    for (index, voice) in settings.voices.enumerated() {
      do throws(SettingsError) {
        let shifter = try DelayLineShifter(
          shiftSemitones: voice.intervalSemitones, settings.engine, sampleRateHz: sampleRateHz)
        parts.initializeElement(
          at: index,
          to: Part(
            shifter: shifter, initialGain: Float(voice.gain), gain: GainRamp(Float(voice.gain))))
      } catch {
        parts.extracting(..<index).deinitialize()
        parts.deallocate()
        throw error
      }
    }
    return parts
  }

  deinit {
    parts.deinitialize()
    parts.deallocate()
  }

  /// Forgets the past, and what `setShift` and `setGain` changed.
  @_noLocks public mutating func reset() {
    for voice in 0..<voiceCount {
      unsafe parts[voice].shifter.reset()
      unsafe parts[voice].gain = GainRamp(parts[voice].initialGain)
    }
  }

  /// Moves a voice to another interval above the lead from the next sample on, without a click.
  /// Beyond `DelayLineShifter.shiftRange` it is cut.
  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    unsafe parts[voice].shifter.setShift(semitones: semitones)
  }

  /// How long ago the sound that a voice gives now came in: for who knows what was sung then.
  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    return unsafe parts[voice].shifter.soundingDelaySamples
  }

  /// Brings a voice to another level, on a straight ramp of `rampSamples`; 0 is at once.
  ///
  /// - Parameter gain: 0 to 4, cut to that range.
  @_noLocks public mutating func setGain(_ gain: Float, ofVoice voice: Int, rampSamples: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    unsafe parts[voice].gain.aim(at: min(max(gain, 0), 4), overSamples: rampSamples)
  }

  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    var none = MutableSpan<Float>()
    process(input, into: &output, stems: &none)
  }

  /// As `process`, and keeps the voices apart.
  ///
  /// - Parameter stems: empty, or room for `voiceCount` times the samples of `input`, one voice
  ///   after the other, each as loud as in the mix.
  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>,
    stems: inout MutableSpan<Float>
  ) {
    let (count, room, stemRoom) = (input.count, output.count, stems.count)
    precondition(count == room, "counts differ")
    precondition(stemRoom == 0 || stemRoom == voiceCount * count, "no room for every voice")
    let dry = Float(settings.dryGain)
    for i in 0..<count { output[i] = input[i].isFinite ? dry * input[i] : 0 }
    let (parts, longest) = (self.parts, scratch.count)
    var start = 0
    while start < count {
      let end = min(start + longest, count)
      for voice in 0..<parts.count {
        var shifted = scratch.mutablePrefix(end - start)
        unsafe parts[voice].shifter.process(input, start..<end, into: &shifted)
        unsafe parts[voice].gain.apply(to: &shifted)
        for i in start..<end {
          let sample = shifted[i - start]
          output[i] += sample
          if stemRoom > 0 { stems[voice * count + i] = sample }
        }
      }
      start = end
    }
  }

  /// What voice `index` is doing now, for the truth log.
  public func state(ofVoice index: Int) -> TruthLog.Entry {
    TruthLog.Entry(
      voice: index, intervalSemitones: parts[index].shifter.shiftSemitones,
      gain: Double(parts[index].gain.value), delaySamples: parts[index].shifter.delaySamples)
  }
}
