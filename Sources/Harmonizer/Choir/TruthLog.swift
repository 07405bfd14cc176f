/// Decisions of a harmonizer, block by block: the truth that its output is judged by.
///
/// The same settings, seed, input and events give the same log, to the bit.
public struct TruthLog: Codable, Equatable, Sendable {
  /// One voice during one block.
  public struct Entry: Equatable, Sendable, BitwiseCopyable {
    /// Index of the voice, in the order of the settings.
    public var voice: Int
    /// Target of the voice; `nil` where it is silent, where its lead has no pitch, and on a fixed
    /// interval, for which no pitch is needed.
    public var targetHz: Double?
    /// Estimated pitch of the lead in the sound that leaves the engine now; `nil` where it has
    /// none, or none was asked for.
    public var leadHz: Double?
    /// `nil` where nobody asked.
    public var leadIsVoiced: Bool?
    public var intervalSemitones: Double
    /// All levels together: the voice's own, its note's, its envelope's and its gate's.
    public var gain: Double
    /// -1 is left, 1 is right.
    public var pan: Double
    /// 1 keeps the lead's formants, the pitch's ratio moves them along.
    public var formantRatio: Double
    /// Present delay of the voice.
    public var delaySamples: Double
    public var consonants: ConsonantPolicy
  }

  /// The voices at the start of one block.
  public struct Block: Codable, Equatable, Sendable {
    public var startSample: Int
    public var voices: [Entry]
  }

  /// Version of the format.
  public private(set) var schema = "choir-eval.truth-log/3"
  public private(set) var settings: Harmonizer.Settings?
  /// Settings of the offline engine, where that made the voices and not the engine of `settings`.
  public private(set) var offline: OfflineShifter.Settings?
  public private(set) var sampleRateHz: Double?
  public private(set) var latencySamples: Int?
  /// Latency by note; `nil` where every note is as late as `latencySamples`.
  public private(set) var latencyByNote: [LatencyByNote]?
  public private(set) var controlLatencySamples: Int?
  public private(set) var blocks: [Block] = []

  public init(sampleRateHz: Double? = nil) { self.sampleRateHz = sampleRateHz }

  /// A log that also says what it is of.
  public init(
    of harmonizer: borrowing Harmonizer, sampleRateHz: Double,
    offline: OfflineShifter.Settings? = nil
  ) {
    settings = harmonizer.settings
    self.offline = offline
    self.sampleRateHz = sampleRateHz
    latencySamples = harmonizer.latencySamples
    let byNote = offline == nil ? harmonizer.settings.engine.latencyByNote : []
    latencyByNote = byNote.isEmpty ? nil : byNote
    controlLatencySamples = harmonizer.controlLatencySamples
  }

  /// Appends the state of a voice that was noted on an audio thread, to the block of its start.
  /// Allocates.
  public mutating func append(_ voice: Entry, startSample: Int) {
    if let last = blocks.indices.last, blocks[last].startSample == startSample {
      blocks[last].voices.append(voice)
    } else {
      blocks.append(Block(startSample: startSample, voices: [voice]))
    }
  }

  /// Notes the state in which `harmonizer` meets the block at `startSample`. Allocates.
  public mutating func record(_ harmonizer: borrowing Harmonizer, startSample: Int) {
    var voices: [Entry] = []
    for voice in 0..<harmonizer.voiceCount { voices.append(harmonizer.state(ofVoice: voice)) }
    blocks.append(Block(startSample: startSample, voices: voices))
  }
}

/// A pitch that is not is written as `null`.
extension TruthLog.Entry: Codable {
  private enum CodingKeys: String, CodingKey {
    case voice, targetHz, leadHz, leadIsVoiced, intervalSemitones, gain, pan, formantRatio
    case delaySamples, consonants
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(voice, forKey: .voice)
    try container.encode(targetHz, forKey: .targetHz)
    try container.encode(leadHz, forKey: .leadHz)
    try container.encode(leadIsVoiced, forKey: .leadIsVoiced)
    try container.encode(intervalSemitones, forKey: .intervalSemitones)
    try container.encode(gain, forKey: .gain)
    try container.encode(pan, forKey: .pan)
    try container.encode(formantRatio, forKey: .formantRatio)
    try container.encode(delaySamples, forKey: .delaySamples)
    try container.encode(consonants, forKey: .consonants)
  }
}
