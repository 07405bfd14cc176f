/// What a harmonizer meant to do, block by block: the truth that its output is judged by.
public struct TruthLog: Codable, Equatable, Sendable {
  /// One voice during one block.
  public struct Entry: Codable, Equatable, Sendable {
    /// From 0, in the order of the settings.
    public var voice: Int
    public var intervalSemitones: Double
    public var gain: Double
    /// How long ago the sound that the voice gives now came in.
    public var delaySamples: Double
  }

  /// The voices at the start of one block.
  public struct Block: Codable, Equatable, Sendable {
    public var startSample: Int
    public var voices: [Entry]
  }

  public private(set) var blocks: [Block] = []

  public init() {}

  /// Notes the state in which `harmonizer` meets the block at `startSample`. Allocates.
  public mutating func record(_ harmonizer: borrowing Harmonizer, startSample: Int) {
    var voices: [Entry] = []
    for voice in 0..<harmonizer.voiceCount { voices.append(harmonizer.state(ofVoice: voice)) }
    blocks.append(Block(startSample: startSample, voices: voices))
  }
}
