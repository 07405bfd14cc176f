import AudioFile

extension SubjectFile {
  /// The format of the WAV files that a command reads. Some programs misread floats as integers.
  public enum InputFormat: String, Codable, CaseIterable, Sendable {
    case float, pcm16, pcm24

    var encoding: AudioEncoding {
      switch self {
      case .float: .wav(.float32)
      case .pcm16: .wav(.int16)
      case .pcm24: .wav(.int24)
      }
    }
  }

  /// The channel to measure of output with several; without a choice, differing channels are refused.
  public enum ChannelChoice: Codable, Equatable, Sendable, LosslessStringConvertible {
    case average
    /// One channel, from 1.
    case channel(Int)

    public init?(_ text: String) {
      if text == "average" {
        self = .average
      } else if let number = Int(text), 1...64 ~= number {
        self = .channel(number)
      } else {
        return nil
      }
    }

    public var description: String {
      switch self {
      case .average: "average"
      case .channel(let number): "\(number)"
      }
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text =
        try (try? container.decode(Int.self)).map(String.init)
        ?? container.decode(String.self)
      guard let choice = Self(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "is '\(text)'; write average, or a channel from 1 to 64")
      }
      self = choice
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(description)
    }
  }
}
