/// The kinds of sound file this toolkit reads and writes.
public enum AudioFormat: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
  case wav, flac, aiff, vorbis, opus, mp3

  /// The name endings a file of this format may carry; the first is the usual one.
  public var extensions: [String] {
    switch self {
    case .wav: ["wav", "wave"]
    case .flac: ["flac"]
    case .aiff: ["aiff", "aif", "aifc"]
    case .vorbis: ["ogg", "oga"]
    case .opus: ["opus", "ogg", "oga"]
    case .mp3: ["mp3"]
    }
  }

  /// Whether a length that its files announce is exact; lossy formats pad their ends.
  var countsItsFrames: Bool {
    switch self {
    case .wav, .flac, .aiff: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .wav: "WAV"
    case .flac: "FLAC"
    case .aiff: "AIFF"
    case .vorbis: "Ogg Vorbis"
    case .opus: "Opus"
    case .mp3: "MP3"
    }
  }

  /// The format that a file's name announces; nil where the ending is none of ours.
  public init?(extensionOf path: String) {
    let ending = fileExtension(of: path)
    guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else {
      return nil
    }
    self = format
  }

  /// The format of a file that begins with `bytes` (12 suffice), told by its signature alone.
  init?(signature bytes: [UInt8]) {
    func has(_ text: String, at start: Int) -> Bool {
      bytes.dropFirst(start).starts(with: text.utf8)
    }
    if (has("RIFF", at: 0) || has("RF64", at: 0)) && has("WAVE", at: 8) {
      self = .wav
    } else if has("fLaC", at: 0) {
      self = .flac
    } else if has("FORM", at: 0) && (has("AIFF", at: 8) || has("AIFC", at: 8)) {
      self = .aiff
    } else if has("OggS", at: 0) {
      self = .vorbis  // or Opus, which the first bytes do not tell
    } else if has("ID3", at: 0) || (bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0)
    {
      self = .mp3
    } else {
      return nil
    }
  }

  /// The sample rates this format can be written at, in words; nil where any whole rate will do.
  var allowedRates: String? {
    switch self {
    case .wav, .aiff: nil
    case .flac: "up to 655350 Hz"
    case .vorbis: "up to 200000 Hz"
    case .opus: "8000, 12000, 16000, 24000 or 48000 Hz"
    case .mp3: "8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz"
    }
  }

  /// Whether a file of this format can be written at `rateHz`. Files hold whole rates only.
  func allows(rateHz: Double) -> Bool {
    guard rateHz == rateHz.rounded(), (1...Double(Int32.max)).contains(rateHz) else { return false }
    switch self {
    case .wav, .aiff: return true
    case .flac: return rateHz <= 655_350
    case .vorbis: return rateHz <= 200_000
    case .opus: return [8000, 12_000, 16_000, 24_000, 48_000].contains(rateHz)
    case .mp3:
      return [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(rateHz)
    }
  }

  /// The most channels that can be written.
  var maxChannelCount: Int {
    switch self {
    case .wav, .aiff: 1024
    case .vorbis, .opus: 255
    case .flac: 8
    case .mp3: 2
    }
  }
}

/// The part of a file's name behind its last dot, in lower case; empty where there is none.
func fileExtension(of path: String) -> String {
  let name = path.split(separator: "/").last ?? ""
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
  return name[name.index(after: dot)...].lowercased()
}
