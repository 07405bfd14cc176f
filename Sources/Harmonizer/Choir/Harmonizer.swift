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
    public var engine: Engine

    public init(
      voices: [Voice], dryGain: Double = 0, engine: Engine = Engine(.delayline)
    ) {
      self.voices = voices
      self.dryGain = dryGain
      self.engine = engine
    }

    public func validate() throws(SettingsError) {
      try require("the number of voices", Double(voices.count), in: 1...16)
      for voice in voices {
        try require("intervalSemitones", voice.intervalSemitones, in: Engine.shiftRange)
        try require("gain", voice.gain, in: 0...4)
      }
      try require("dryGain", dryGain, in: 0...4)
      try engine.validate()
    }
  }

  public let settings: Settings
  public let voiceCount: Int

  private var transposer: Transposer
  private let initialGains: UnsafeMutableBufferPointer<Float>
  private let gains: UnsafeMutableBufferPointer<GainRamp>
  /// A stretch of every voice, one after the other.
  private var scratch: FloatBuffer
  private let longestStretch = 256

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    let voices = settings.voices
    transposer = try Transposer(
      shiftsSemitones: voices.map(\.intervalSemitones), settings.engine,
      sampleRateHz: sampleRateHz)
    initialGains = .allocate(capacity: voices.count)
    _ = initialGains.initialize(from: voices.map { Float($0.gain) })
    gains = .allocate(capacity: voices.count)
    _ = gains.initialize(from: voices.map { GainRamp(Float($0.gain)) })
    scratch = FloatBuffer(count: voices.count * longestStretch)
    voiceCount = voices.count
    self.settings = settings
  }

  deinit {
    initialGains.deallocate()
    gains.deallocate()
  }

  /// Of the shifted voices; the lead has none.
  public var latencySamples: Int { @_noLocks get { transposer.latencySamples } }

  /// Forgets the past, and what `setShift` and `setGain` changed.
  @_noLocks public mutating func reset() {
    transposer.reset()
    for voice in 0..<voiceCount { unsafe gains[voice] = GainRamp(initialGains[voice]) }
  }

  /// Moves a voice to another interval above the lead from the next sample on, without a click.
  /// Beyond `Engine.shiftRange` it is cut.
  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    transposer.setShift(semitones: semitones, ofVoice: voice)
  }

  /// How long ago the sound that a voice gives now came in: for who knows what was sung then.
  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    return transposer.soundingDelaySamples(ofVoice: voice)
  }

  /// Brings a voice to another level, on a straight ramp of `rampSamples`; 0 is at once.
  ///
  /// - Parameter gain: 0 to 4, cut to that range.
  @_noLocks public mutating func setGain(_ gain: Float, ofVoice voice: Int, rampSamples: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    unsafe gains[voice].aim(at: min(max(gain, 0), 4), overSamples: rampSamples)
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
    var start = 0
    let (voiceCount, gains, longestStretch) = (self.voiceCount, self.gains, self.longestStretch)
    while start < count {
      let end = min(start + longestStretch, count)
      let length = end - start
      Self.transpose(input, start..<end, by: &transposer, into: &scratch)
      var voices = scratch.mutablePrefix(voiceCount * length)
      for voice in 0..<voiceCount {
        unsafe gains[voice].apply(to: &voices, voice * length..<(voice + 1) * length)
        for i in 0..<length {
          let sample = voices[voice * length + i]
          output[start + i] += sample
          if stemRoom > 0 { stems[voice * count + start + i] = sample }
        }
      }
      start = end
    }
  }

  /// Fills the beginning of `scratch` with every voice.
  @_noLocks private static func transpose(
    _ input: Span<Float>, _ range: Range<Int>, by transposer: inout Transposer,
    into scratch: inout FloatBuffer
  ) {
    var voices = scratch.mutablePrefix(transposer.voiceCount * range.count)
    transposer.process(input, range, into: &voices)
  }

  /// What voice `index` is doing now, for the truth log.
  public func state(ofVoice index: Int) -> TruthLog.Entry {
    TruthLog.Entry(
      voice: index, intervalSemitones: transposer.shiftSemitones(ofVoice: index),
      gain: Double(gains[index].value),
      delaySamples: transposer.soundingDelaySamples(ofVoice: index))
  }
}
