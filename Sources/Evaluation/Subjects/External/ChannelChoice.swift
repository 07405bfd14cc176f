/// The content of the channels of an answer with several. Without a choice, differing channels are
/// refused.
public enum ChannelChoice: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The mean of all channels, measured as a mix.
  case average
  /// One channel, from 1, measured as a mix.
  case channel(Int)
  /// The left and the right channel of a stereo mix.
  case stereo
  /// Channel k is voice k.
  case voices
  /// The content of each channel.
  case list([Content])

  /// The content of one channel.
  public enum Content: Equatable, Sendable, LosslessStringConvertible {
    /// The dry voice.
    case lead
    /// A voice of the score, from 1.
    case voice(Int)
    case ignored

    public init?(_ text: String) {
      switch text {
      case "lead": self = .lead
      case "-": self = .ignored
      default:
        guard let number = Int(text), 1...VoiceAllocation.voiceLimit ~= number else { return nil }
        self = .voice(number)
      }
    }

    public var description: String {
      switch self {
      case .lead: "lead"
      case .voice(let number): "\(number)"
      case .ignored: "-"
      }
    }
  }

  /// True if the channels are voices by themselves.
  var holdsVoices: Bool {
    switch self {
    case .voices, .list: true
    case .average, .channel, .stereo: false
    }
  }

  /// Number of channels that the choice names; `nil` if it depends on the score or names none.
  var namedCount: Int? {
    switch self {
    case .list(let contents): contents.count
    case .stereo: 2
    case .voices, .average, .channel: nil
    }
  }

  private static let allowed =
    "write average, stereo, voices, the number of a channel from 1 to 64, or a list of what each "
    + "channel holds, such as [lead, 1, 2, -]"

  /// Reads one word.
  init?(_ text: String) {
    switch text {
    case "average": self = .average
    case "stereo": self = .stereo
    case "voices": self = .voices
    default:
      guard let number = Int(text), 1...64 ~= number else { return nil }
      self = .channel(number)
    }
  }

  /// Reads a list of contents.
  ///
  /// - Throws: the problem, in words that follow `'channels'`.
  init(_ words: [String]) throws(Problem) {
    var contents: [Content] = []
    for word in words {
      guard let content = Content(word) else {
        throw Problem(
          text:
            "has '\(word)'; write lead, a voice from 1 to \(VoiceAllocation.voiceLimit), or - for "
            + "a channel to ignore")
      }
      if content != .ignored, contents.contains(content) {
        throw Problem(
          text: content == .lead
            ? "names the lead twice; keep one, and - for the other channel"
            : "names voice \(word) twice; give each voice one channel")
      }
      contents.append(content)
    }
    guard contents.contains(where: { if case .voice = $0 { true } else { false } }) else {
      throw Problem(text: "names no voice; write their numbers, such as [lead, 1, 2]")
    }
    self = .list(contents)
  }

  struct Problem: Error { var text: String }

  public var description: String {
    switch self {
    case .average: "average"
    case .channel(let number): "\(number)"
    case .stereo: "stereo"
    case .voices: "voices"
    case .list(let contents): "[\(contents.map(\.description).joined(separator: ", "))]"
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func wrong(_ problem: String) -> DecodingError {
      .dataCorruptedError(in: container, debugDescription: problem)
    }
    if let words = try? container.decode([String].self) {
      do { self = try Self(words) } catch { throw wrong(error.text) }
      return
    }
    let number = (try? container.decode(Int.self)).map(String.init)
    guard let text = number ?? (try? container.decode(String.self)) else {
      throw wrong("is neither a word nor a list; \(Self.allowed)")
    }
    guard let choice = Self(text) else { throw wrong("is '\(text)'; \(Self.allowed)") }
    self = choice
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .list(let contents) = self {
      try container.encode(contents.map(\.description))
    } else {
      try container.encode(description)
    }
  }
}
