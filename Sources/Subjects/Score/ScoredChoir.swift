import Analyzer
import DSP
import Harmonizer

/// A harmonizer and the score that moves it, block by block, as an app would.
public struct ScoredChoir: ~Copyable {
  private var harmonizer: Harmonizer
  private var cues: VoiceCues?
  private var player: ScorePlayer?
  private var startSample = 0
  private var blockCount = 0
  private var repeatsCues = false
  /// Whether it knew the whole recording before it began, so that its delay of 0 is none that anybody
  /// could play with.
  public private(set) var isOffline = false
  /// Time on a core before it could begin: of the offline engine all its work.
  public private(set) var preparationSeconds = 0.0
  /// What it meant to do, if that is kept.
  public private(set) var log: TruthLog?

  /// - Parameters:
  ///   - settings: of `score.choir`, and what else was chosen.
  ///   - score: resolved against the sound to come, where the lead's pitch is given.
  public init(
    _ settings: Harmonizer.Settings, following score: ResolvedScore?,
    leadPitch: LeadPitch = .live, sampleRateHz: Double, logging: Bool = false
  ) throws(SettingsError) {
    harmonizer = try Harmonizer(settings, sampleRateHz: sampleRateHz)
    switch leadPitch {
    case .live: player = score.map { ScorePlayer($0, sampleRateHz: sampleRateHz) }
    case .given:
      cues = score.flatMap {
        VoiceCues($0, velocityShare: settings.velocityShare, sampleRateHz: sampleRateHz)
      }
    }
    if logging { log = TruthLog(of: harmonizer, sampleRateHz: sampleRateHz) }
  }

  /// Of a score alone, whose lead the harmonizer is to hear itself.
  ///
  /// - Parameter playing: as the settings were made by `score.choir(playing:)`.
  public init(
    _ settings: Harmonizer.Settings, singing score: Score, playing: LivePlaying = LivePlaying(),
    sampleRateHz: Double, logging: Bool = false
  ) throws(SettingsError) {
    try self.init(
      Harmonizer(settings, sampleRateHz: sampleRateHz),
      ScorePlayer(Self.unheard(score), playing: playing, sampleRateHz: sampleRateHz))
    if logging { log = TruthLog(of: harmonizer, sampleRateHz: sampleRateHz) }
  }

  /// Against a lead that is not known yet.
  private static func unheard(_ score: Score) -> ResolvedScore {
    ResolvedScore(score, lead: PitchTrack(hopSeconds: 1, f0Hz: [], voicing: []))
  }

  /// Of the offline engine, which is to hear all of `signal` beforehand: it rehearses, has the
  /// copies made, and then performs block by block as any other.
  ///
  /// - Parameters:
  ///   - playing: as the settings were made by `score.choir(playing:)`.
  ///   - lead: what `signal` sings; tracked unless given.
  ///   - blockSize: as it will be performed.
  public init(
    _ settings: Harmonizer.Settings, by engine: OfflineEngine, singing score: Score,
    playing: LivePlaying = LivePlaying(), of signal: Signal, lead: PitchTrack? = nil,
    blockSize: Int, logging: Bool = false
  ) throws(SettingsError) {
    let before = ThreadClock.seconds
    let shifter = try OfflineShifter(engine.shifter)
    let tracker = try PitchTracker(engine.shifter.pitch)
    let lead = lead ?? tracker.track(signal)
    let player = ScorePlayer(
      Self.unheard(score), playing: playing, sampleRateHz: signal.sampleRateHz)
    var rehearsal = try ScoredChoir(
      Harmonizer(rehearsing: settings, of: signal, lead: lead), player)
    rehearsal.play(signal, blockSize: blockSize)
    let formants = engine.formantShiftSemitones
    let copies = try shifter.render(
      signal,
      voices: zip(rehearsal.harmonizer.rehearsedShifts, settings.voices).map {
        .init(shift: $0, formantShiftSemitones: formants + $1.formantShiftSemitones)
      })
    try self.init(
      Harmonizer(
        performing: settings, with: copies, formantShiftSemitones: formants, of: signal, lead: lead
      ), player)
    if logging {
      log = TruthLog(
        of: harmonizer, sampleRateHz: signal.sampleRateHz, offline: engine.shifter)
    }
    isOffline = true
    preparationSeconds = ThreadClock.seconds - before
  }

  private init(_ harmonizer: consuming Harmonizer, _ player: ScorePlayer) {
    self.harmonizer = harmonizer
    self.player = player
  }

  public var voiceCount: Int { harmonizer.voiceCount }
  public var latencySamples: Int { harmonizer.latencySamples }
  /// Where the delay follows the note; empty where every note is as late as `latencySamples`.
  public var latencyByNote: [LatencyByNote] {
    isOffline ? [] : harmonizer.settings.engine.latencyByNote
  }
  /// How long it may sound after its input has ended, its latency included.
  public var tailSamples: Int {
    latencySamples + Int(harmonizer.settings.tailMs / 1000 * harmonizer.sampleRateHz)
  }
  public var controlLatencySamples: Int { harmonizer.controlLatencySamples }

  /// As `Harmonizer.process`, after its voices were told what the block is to be.
  public mutating func process(
    _ input: Span<Float>, into output: inout MutableSpan<Float>, stems: inout MutableSpan<Float>
  ) {
    begin(count: input.count)
    harmonizer.process(input, into: &output, stems: &stems)
  }

  public mutating func process(
    _ input: Span<Float>, intoLeft left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>, stems: inout MutableSpan<Float>
  ) {
    begin(count: input.count)
    harmonizer.process(input, intoLeft: &left, right: &right, stems: &stems)
  }

  /// Begins anew, without a log. What its voices are told by a given pitch is then not worked out
  /// again, so that what is timed is the harmonizer.
  mutating func rewindToTime() {
    harmonizer.reset()
    player?.rewind()
    (startSample, blockCount, repeatsCues, log) = (0, 0, true, nil)
  }

  /// All of a signal, for nobody to hear.
  mutating func play(_ signal: Signal, blockSize: Int) {
    var output = [Float](repeating: 0, count: signal.count)
    var target = output.mutableSpan
    for start in stride(from: 0, to: signal.count, by: blockSize) {
      let range = start..<min(start + blockSize, signal.count)
      var part = target._mutatingExtracting(range)
      var none = MutableSpan<Float>()
      process(signal.samples.span.extracting(range), into: &part, stems: &none)
    }
  }

  private mutating func begin(count: Int) {
    if repeatsCues, cues?.hasTold(block: blockCount) ?? true {
      cues?.repeatCue(&harmonizer, block: blockCount)
    } else {
      cues?.cue(&harmonizer, startSample: startSample)
    }
    player?.tell(&harmonizer, startSample: startSample)
    log?.record(harmonizer, startSample: startSample)
    startSample += count
    blockCount += 1
  }
}
