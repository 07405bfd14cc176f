import Analyzer
import DSP
import Harmonizer

/// A harmonizer and the score that moves it, block by block, as an app would.
public struct ScoredChoir: ~Copyable {
  private var harmonizer: Harmonizer
  private var cues: VoiceCues?
  private var notes: ScoreNotes?
  private var startSample = 0
  private var blockCount = 0
  private var repeatsCues = false
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
    case .live: notes = score.flatMap { ScoreNotes($0, sampleRateHz: sampleRateHz) }
    case .given: cues = score.flatMap { VoiceCues($0, sampleRateHz: sampleRateHz) }
    }
    if logging { log = TruthLog(of: harmonizer, sampleRateHz: sampleRateHz) }
  }

  /// Of a score alone, whose lead the harmonizer is to hear itself.
  public init(
    _ settings: Harmonizer.Settings, singing score: Score, sampleRateHz: Double,
    logging: Bool = false
  ) throws(SettingsError) {
    let unheard = PitchTrack(hopSeconds: 1, f0Hz: [], voicing: [])
    try self.init(
      settings, following: ResolvedScore(score, lead: unheard), sampleRateHz: sampleRateHz,
      logging: logging)
  }

  public var voiceCount: Int { harmonizer.voiceCount }
  public var latencySamples: Int { harmonizer.latencySamples }
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
    notes?.rewind()
    (startSample, blockCount, repeatsCues, log) = (0, 0, true, nil)
  }

  private mutating func begin(count: Int) {
    if repeatsCues {
      cues?.repeatCue(&harmonizer, block: blockCount)
    } else {
      cues?.cue(&harmonizer, startSample: startSample)
    }
    notes?.tell(&harmonizer, startSample: startSample)
    log?.record(harmonizer, startSample: startSample)
    startSample += count
    blockCount += 1
  }
}
