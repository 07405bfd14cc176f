import Analyzer
import DSP
import Harmonizer
import Platform

/// A harmonizer that plays a score, block by block, as an app would.
public struct ScoredChoir: ~Copyable {
  private var harmonizer: Harmonizer
  private var cues: VoiceCues?
  private var player: ScorePlayer?
  private var startSample = 0
  private var blockCount = 0
  private var repeatsCues = false
  /// True if it analyzed the whole recording beforehand; its delay of 0 is then no live latency.
  public private(set) var isOffline = false
  /// Processor time before the first block: all the work of the offline engine.
  public private(set) var preparationSeconds = 0.0
  /// The intended pitch of each voice; `nil` without logging.
  public private(set) var log: TruthLog?

  /// Creates a live choir.
  ///
  /// - Parameters:
  ///   - settings: those of `score.choir`, perhaps with changes.
  ///   - score: the score, resolved with the lead of the coming sound if its pitch is given.
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

  /// Creates a live choir whose harmonizer tracks the lead itself.
  ///
  /// - Parameter playing: the options that `score.choir(playing:)` made the settings with.
  public init(
    _ settings: Harmonizer.Settings, singing score: Score, playing: LivePlaying = LivePlaying(),
    sampleRateHz: Double, logging: Bool = false
  ) throws(SettingsError) {
    try self.init(
      Harmonizer(settings, sampleRateHz: sampleRateHz),
      ScorePlayer(Self.withoutLead(score), playing: playing, sampleRateHz: sampleRateHz))
    if logging { log = TruthLog(of: harmonizer, sampleRateHz: sampleRateHz) }
  }

  /// Resolves a score without a lead.
  private static func withoutLead(_ score: Score) -> ResolvedScore {
    ResolvedScore(score, lead: PitchTrack(hopSeconds: 1, f0Hz: []))
  }

  /// Creates a choir of the offline engine. It plays all of `signal` once to learn the shifts, renders
  /// the shifted copies, and then runs block by block as any other.
  ///
  /// - Parameters:
  ///   - playing: the options that `score.choir(playing:)` made the settings with.
  ///   - lead: the pitch of `signal`; `nil` to track it.
  ///   - blockSize: the block size of the later calls of `process`.
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
      Self.withoutLead(score), playing: playing, sampleRateHz: signal.sampleRateHz)
    var rehearsal = try ScoredChoir(
      Harmonizer(rehearsing: settings, of: signal, lead: lead), player)
    _ = rehearsal.render(signal, blockSize: blockSize)
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
      log = TruthLog(of: harmonizer, sampleRateHz: signal.sampleRateHz, offline: engine.shifter)
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
  /// The delays of notes, for engines whose delay depends on the note; empty if all notes have
  /// `latencySamples`.
  public var latencyByNote: [LatencyByNote] {
    isOffline ? [] : harmonizer.settings.engine.latencyByNote
  }
  /// Longest sound after the end of the input, including the latency.
  public var tailSamples: Int {
    latencySamples + Int(harmonizer.settings.tailMs / 1000 * harmonizer.sampleRateHz)
  }
  public var controlLatencySamples: Int { harmonizer.controlLatencySamples }

  /// Plays the score's events for the block, then calls `Harmonizer.process`.
  ///
  /// - Parameter right: empty for mono.
  public mutating func process(
    _ input: Span<Float>, intoLeft left: inout MutableSpan<Float>,
    right: inout MutableSpan<Float>, stems: inout MutableSpan<Float>
  ) {
    begin(count: input.count)
    harmonizer.process(input, intoLeft: &left, right: &right, stems: &stems)
  }

  /// Restarts without a log. The cues of a given lead pitch are reused, so that only the harmonizer is
  /// timed.
  mutating func rewindToTime() {
    harmonizer.reset()
    player?.rewind()
    (startSample, blockCount, repeatsCues, log) = (0, 0, true, nil)
  }

  /// Processes a whole signal block by block.
  ///
  /// - Returns: the mix, in one channel or two, and the voices' stems, empty unless kept.
  public mutating func render(
    _ signal: Signal, blockSize: Int, isStereo: Bool = false, keepingStems: Bool = false
  ) -> (channels: [[Float]], stems: [[Float]]) {
    let silence = [Float](repeating: 0, count: signal.count)
    var (left, right) = (silence, isStereo ? silence : [])
    let stemCount = keepingStems ? voiceCount : 0
    var stems = [[Float]](repeating: silence, count: stemCount)
    var block = [Float](repeating: 0, count: stemCount * blockSize)
    for start in stride(from: 0, to: signal.count, by: blockSize) {
      let range = start..<min(start + blockSize, signal.count)
      do {
        var leftWhole = left.mutableSpan
        var rightWhole = right.mutableSpan
        var stemWhole = block.mutableSpan
        var leftPart = leftWhole._mutatingExtracting(range)
        var rightPart = rightWhole._mutatingExtracting(isStereo ? range : 0..<0)
        var stemPart = stemWhole._mutatingExtracting(0..<(stemCount * range.count))
        process(
          signal.samples.span.extracting(range), intoLeft: &leftPart, right: &rightPart,
          stems: &stemPart)
      }
      for voice in stems.indices {
        for i in 0..<range.count { stems[voice][start + i] = block[voice * range.count + i] }
      }
    }
    return (isStereo ? [left, right] : [left], stems)
  }

  private mutating func begin(count: Int) {
    if repeatsCues, cues?.hasCue(forBlock: blockCount) ?? true {
      cues?.repeatCue(&harmonizer, block: blockCount)
    } else {
      cues?.cue(&harmonizer, startSample: startSample)
    }
    player?.play(on: &harmonizer, startSample: startSample)
    log?.record(harmonizer, startSample: startSample)
    startSample += count
    blockCount += 1
  }
}
