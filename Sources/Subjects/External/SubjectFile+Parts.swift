import AudioFile
import Foundation
import Yams

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

/// The environment variables that a subject's file names, with values or to be passed on.
public struct SubjectEnvironment: Codable, Equatable, Sendable {
  /// The values by name; `nil` passes on the value of choir-eval's own environment.
  var values: [String: String?]

  /// Reads a list of names, or a mapping from names to values; returns `nil` for anything else.
  init?(_ node: Node) {
    func isName(_ text: String) -> Bool {
      !text.isEmpty && !text.contains("=") && !text.contains("\0")
    }
    if let list = node.sequence {
      let names = list.compactMap(\.string)
      guard names.count == list.count, names.allSatisfy(isName) else { return nil }
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else if let mapping = node.mapping {
      values = [:]
      for (name, value) in mapping {
        guard let name = name.string, isName(name), let text = value.string,
          !text.contains("\0")
        else { return nil }
        values[name] = .some(text)
      }
    } else {
      return nil
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let names = try? container.decode([String].self) {
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else {
      values = try container.decode([String: String].self).mapValues { .some($0) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// Returns the variables for the program, given the environment `here`.
  func resolved(in here: [String: String]) -> [String: String] {
    var found: [String: String] = [:]
    for (name, value) in values { found[name] = value ?? here[name] }
    return found
  }
}
