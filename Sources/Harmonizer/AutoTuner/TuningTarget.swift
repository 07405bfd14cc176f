import Music

/// The notes that an auto-tuner draws a voice to.
///
/// Coded as one of `{"key": "A minor"}`, `{"tones": ["C", "D", "E"]}`, `{"heldKeys": "asPlayed"}`.
public enum TuningTarget: Equatable, Sendable {
  /// Meaning of the keys that are held down.
  public enum Octaves: String, Codable, CaseIterable, Sendable {
    /// The very notes: a voice an octave away is drawn all the way.
    case asPlayed
    /// Their pitch classes: a voice stays in its octave.
    case any
  }

  case key(Key)
  case tones([PitchClass])
  /// Keys pressed and released while the tuner runs; with none down nothing is corrected.
  case heldKeys(Octaves)

  /// The pitch classes that are targets at the start, in any octave.
  var tones: ToneSet {
    switch self {
    case .key(let key): key.tones
    case .tones(let classes): ToneSet(classes.map(\.semitones))
    case .heldKeys: ToneSet(bits: 0)
    }
  }
}

extension TuningTarget: Codable {
  private enum Kind: CodingKey { case key, tones, heldKeys }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    guard let kind = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath, debugDescription: "name one of key, tones, heldKeys"))
    }
    switch kind {
    case .key: self = .key(try container.decode(Key.self, forKey: kind))
    case .tones: self = .tones(try container.decode([PitchClass].self, forKey: kind))
    case .heldKeys: self = .heldKeys(try container.decode(Octaves.self, forKey: kind))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch self {
    case .key(let key): try container.encode(key, forKey: .key)
    case .tones(let classes): try container.encode(classes, forKey: .tones)
    case .heldKeys(let octaves): try container.encode(octaves, forKey: .heldKeys)
    }
  }
}
