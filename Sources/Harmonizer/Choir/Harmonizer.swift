import DSP
import Music

/// A choir made of one voice: transposed copies beside the dry lead, each on a part of its own.
///
/// Voices on a fixed interval cost their engine and no more. Where any part goes by what the lead
/// sings, by chords, keys or notes, one tracker hears the lead, and every millisecond each voice is
/// told how far to shift; events count from the next such tick on.
///
/// - Allocates: in `init` only.
/// - Input, output: mono samples, nominally ±1; stereo on request.
public struct Harmonizer: BlockProcessor, ~Copyable {
  public let settings: Settings
  public let voiceCount: Int
  public let sampleRateHz: Double

  var transposer: EngineBank
  /// Formant shift of the offline engine; `nil` for the others.
  var offlineFormantShiftSemitones: Double?
  /// Director of the voices; `nil` where every voice keeps its interval.
  var direction: VoiceDirector?
  var channels: RealtimeArray<VoiceChannel>
  private let initialChannels: RealtimeArray<VoiceChannel>
  /// Delay of each voice; the last is that of the lead's own sound, where it is to meet the voices.
  var delays: VoiceDelays
  /// Formant shift of every voice, in semitones.
  let commonFormantShift: Double
  private let dryLeft: Float
  private let dryRight: Float
  /// True if the lead's own sound is in the mix as late as the voices, dry or for its consonants.
  private let needsLead: Bool
  /// Level of consonants that are passed once: what the dry lead leaves of them.
  private let consonantGain: Float
  /// A stretch of every voice and of the delayed lead, one after the other.
  private var scratch: RealtimeArray<Float>
  private let longestStretch = 256
  private var untilTick = 0
  private let noteSamples: Int
  private let gateSamples: Int

  /// Fade of a note without an envelope.
  private static let noteMs = 5.0

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    try self.init(
      settings, Self.transposer(settings, sampleRateHz: sampleRateHz), sampleRateHz: sampleRateHz,
      lead: nil)
  }

  /// - Parameters:
  ///   - settings: validated.
  ///   - lead: `nil` where it is to be listened for.
  init(
    _ settings: Settings, _ transposer: consuming EngineBank, sampleRateHz: Double,
    lead: KnownLead?
  ) throws(SettingsError) {
    let voices = settings.voices
    func samples(_ ms: Double) -> Int { Int((ms / 1000 * sampleRateHz).rounded()) }
    let engineDelaySamples = transposer.latencySamples
    let passing = voices.firstIndex { $0.consonants == .passedOnce }
    var made: [VoiceChannel] = []
    for (index, voice) in voices.enumerated() {
      made.append(
        VoiceChannel(
          voice, isDirected: !voice.isFixed(in: settings.music.tuning),
          passesConsonants: index == passing, pan: settings.pan(ofVoice: index),
          sampleRateHz: sampleRateHz))
    }
    if made.contains(where: \.isDirected) {
      let director = try VoiceDirector(
        settings, engineDelaySamples: engineDelaySamples, sampleRateHz: sampleRateHz, lead: lead)
      controlLatencySamples = director.controlLatencySamples
      direction = consume director
    } else {
      controlLatencySamples = 0
      direction = nil
    }
    delays = VoiceDelays(samples: voices.map { samples($0.delayMs) } + [engineDelaySamples])
    self.transposer = transposer
    commonFormantShift = settings.engine.formantShiftSemitones
    channels = RealtimeArray(made)
    initialChannels = RealtimeArray(made)
    scratch = RealtimeArray(count: (voices.count + 1) * longestStretch)
    noteSamples = samples(Self.noteMs)
    gateSamples = samples(settings.gateMs)
    voiceCount = voices.count
    let dry = Panorama(settings.dryPan)
    dryLeft = Float(settings.dryGain) * dry.left
    dryRight = Float(settings.dryGain) * dry.right
    needsLead = passing != nil || (settings.dryDelayed && settings.dryGain > 0)
    consonantGain = settings.dryDelayed ? Float(max(0, 1 - settings.dryGain)) : 1
    self.settings = settings
    self.sampleRateHz = sampleRateHz
  }

  private static func transposer(
    _ settings: Settings, sampleRateHz: Double
  ) throws(SettingsError) -> EngineBank {
    let voices = settings.voices
    var transposer = try EngineBank(
      shiftsSemitones: voices.map(\.firstShiftSemitones), settings.engine,
      sampleRateHz: sampleRateHz)
    for (index, voice) in voices.enumerated() {
      transposer.setFormantShift(
        semitones: settings.engine.formantShiftSemitones + voice.formantShiftSemitones,
        ofVoice: index)
    }
    return transposer
  }

  /// Latency of the shifted voices, and of the dry lead where it is delayed.
  public var latencySamples: Int { @_noLocks get { transposer.latencySamples } }

  /// The longest from a pitch that the lead sings until the choir goes by it, were the engine
  /// without delay: what the tracker looks ahead, its hop and a tick. 0 where no voice needs it.
  ///
  /// The engine's own delay hides what of this it is longer than: the choir changes its notes with
  /// the sound that asked for it.
  public let controlLatencySamples: Int

  /// Forgets the past, and whatever was changed since.
  @_noLocks public mutating func reset() {
    transposer.reset()
    delays.reset()
    untilTick = 0
    for voice in 0..<voiceCount {
      let channel = initialChannels[voice]
      channels[voice] = channel
      transposer.setFormantShift(
        semitones: commonFormantShift + channel.formantShiftSemitones, ofVoice: voice)
    }
    direction?.reset()
  }

  // MARK: Block by block

  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>
  ) {
    var none = MutableSpan<Float>()
    process(input, into: &output, stems: &none)
  }

  /// Processes a block and also writes each voice by itself.
  @_noLocks public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>,
    stems: inout MutableSpan<Float>
  ) {
    var none = MutableSpan<Float>()
    process(input, intoLeft: &output, right: &none, stems: &stems)
  }

  /// Processes a block in stereo, with every voice in its place by constant power.
  ///
  /// - Parameters:
  ///   - right: empty for mono.
  ///   - stems: empty, or room for `voiceCount` times the samples of `input`, one voice after the
  ///     other, each as loud as in a mono mix.
  @_noLocks public mutating func process(
    _ input: Span<Float>, intoLeft left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>, stems: inout MutableSpan<Float>
  ) {
    let (count, leftRoom, rightRoom) = (input.count, left.count, right.count)
    precondition(count == leftRoom && (rightRoom == 0 || rightRoom == count), "counts differ")
    let dryGain = rightRoom == 0 ? Float(settings.dryGain) : dryLeft
    let isDelayed = settings.dryDelayed && needsLead
    var start = 0
    while start < count {
      let end = sing(input, from: start, stems: &stems)
      let length = end - start
      for i in 0..<length {
        let lead = isDelayed ? scratch[voiceCount * length + i] : input[start + i].soundOrZero
        left[start + i] = dryGain * lead
        if rightRoom > 0 { right[start + i] = dryRight * lead }
      }
      for voice in 0..<voiceCount {
        let place = channels[voice].place
        let gain = rightRoom == 0 ? 1 : place.left
        for i in 0..<length { left[start + i] += gain * scratch[voice * length + i] }
        guard rightRoom > 0 else { continue }
        for i in 0..<length { right[start + i] += place.right * scratch[voice * length + i] }
      }
      start = end
    }
    Self.dropOverflow(of: &left)
    Self.dropOverflow(of: &right)
    Self.dropOverflow(of: &stems)
  }

  /// Sounds near the greatest number there is may add up to none.
  @_noLocks private static func dropOverflow(of samples: inout MutableSpan<Float>) {
    let count = samples.count
    for i in 0..<count where !samples[i].isFinite { samples[i] = 0 }
  }

  // MARK: A stretch

  /// Fills the beginning of `scratch` with a stretch of every voice and of the lead, and writes the voices
  /// to `stems` unless they are empty; returns where the stretch ends.
  @_noLocks private mutating func sing(
    _ input: Span<Float>, from start: Int, stems: inout MutableSpan<Float>
  ) -> Int {
    let (count, stemRoom) = (input.count, stems.count)
    precondition(stemRoom == 0 || stemRoom == voiceCount * count, "no room for every voice")
    var end = min(start + longestStretch, count)
    if direction != nil {
      if untilTick == 0 { direct() }
      end = min(end, start + untilTick)
      untilTick -= end - start
    }
    Self.transpose(input, start..<end, by: &transposer, into: &scratch)
    direction?.analyze(input, start..<end)
    if needsLead { delayLead(input, start..<end) }
    Self.shape(&scratch, &channels, &delays, consonantGain, end - start)
    let length = end - start
    if stemRoom > 0 {
      for voice in 0..<voiceCount {
        for i in 0..<length { stems[voice * count + start + i] = scratch[voice * length + i] }
      }
    }
    return end
  }

  /// Tells every voice what the tick that begins is to be.
  @_noLocks private mutating func direct() {
    direction?.decide(transposer)
    untilTick = direction?.tickSamples ?? 0
    let leadRepeats = direction?.leadRepeats ?? false
    for voice in 0..<voiceCount where channels[voice].isDirected {
      guard let decision = direction?.decision(ofVoice: voice) else { continue }
      let detune = channels[voice].detuneSemitones
      transposer.setShift(semitones: decision.shiftSemitones + detune, ofVoice: voice)
      transposer.setPitch(hz: decision.heldPitch.map { NoteNumber($0 + detune).hz }, ofVoice: voice)
      channels[voice].follow(
        decision, leadIsVoiced: leadRepeats, noteSamples: noteSamples, gateSamples: gateSamples)
    }
  }

  /// Brings every voice to its level and its time.
  @_noLocks private static func shape(
    _ scratch: inout RealtimeArray<Float>, _ channels: inout RealtimeArray<VoiceChannel>,
    _ delays: inout VoiceDelays, _ consonantGain: Float, _ length: Int
  ) {
    let voiceCount = channels.count
    var voices = scratch.mutablePrefix((voiceCount + 1) * length)
    for voice in 0..<voiceCount {
      let range = voice * length..<(voice + 1) * length
      if channels[voice].passesConsonants {
        passConsonants(
          from: voiceCount * length, by: consonantGain, into: &voices, range, &channels[voice])
      }
      channels[voice].apply(to: &voices, range)
      delays.apply(to: &voices, range, ofVoice: voice)
    }
  }

  /// Writes the lead, as late as the voices, behind them in `scratch`.
  @_noLocks private mutating func delayLead(_ input: Span<Float>, _ range: Range<Int>) {
    let first = voiceCount * range.count
    for i in 0..<range.count {
      scratch[first + i] = delays.pass(input[range.lowerBound + i].soundOrZero, ofVoice: voiceCount)
    }
  }

  /// Goes over from a voice to the lead's own sound, as late as the voice's, where it has no pitch.
  ///
  /// - Parameter lead: where in `samples` its stretch begins.
  @_noLocks private static func passConsonants(
    from lead: Int, by gain: Float, into samples: inout MutableSpan<Float>, _ range: Range<Int>,
    _ channel: inout VoiceChannel
  ) {
    let first = range.lowerBound
    for i in first..<range.upperBound {
      let share = channel.voicing.next()
      samples[i] = share * samples[i] + (1 - share) * gain * samples[lead + i - first]
    }
  }

  /// Fills the beginning of `scratch` with every voice.
  @_noLocks private static func transpose(
    _ input: Span<Float>, _ range: Range<Int>, by transposer: inout EngineBank,
    into scratch: inout RealtimeArray<Float>
  ) {
    var voices = scratch.mutablePrefix(transposer.voiceCount * range.count)
    transposer.process(input, range, into: &voices)
  }
}
