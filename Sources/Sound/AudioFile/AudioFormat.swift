/// The sound file formats that this toolkit reads; all but the last can be written.
public enum AudioFormat: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
  case wav, flac, aiff, caf, au, w64, vorbis, opus, mp3
  /// Any other, such as AAC in MPEG-4, read by ffmpeg if that is installed.
  case foreign

  /// Formats that can be written.
  public static let writable = allCases.filter { $0 != .foreign }

  /// A list such as "WAV, FLAC, … or MP3" for help texts.
  public static let allWords =
    writable.map(\.description).joined(separator: ", ") + ", or by ffmpeg M4A, MOV, WebM and others"

  /// File extensions of this format; the first is the default.
  public var extensions: [String] {
    switch self {
    case .wav: ["wav", "wave"]
    case .flac: ["flac"]
    case .aiff: ["aiff", "aif", "aifc"]
    case .caf: ["caf"]
    case .au: ["au", "snd"]
    case .w64: ["w64"]
    case .foreign:
      [
        "m4a", "aac", "mp4", "mov", "3gp", "mka", "mkv", "webm", "wma", "asf", "amr", "ape", "wv",
        "tta", "spx", "ac3", "sph", "voc",
      ]
    case .vorbis: ["ogg", "oga"]
    case .opus: ["opus", "ogg", "oga"]
    case .mp3: ["mp3"]
    }
  }

  /// True if the announced length is exact; lossy formats pad their ends.
  var countsItsFrames: Bool {
    switch self {
    case .wav, .flac, .aiff, .foreign: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .wav: "WAV"
    case .flac: "FLAC"
    case .aiff: "AIFF"
    case .caf: "CAF"
    case .au: "AU"
    case .w64: "W64"
    case .foreign: "a format of ffmpeg"
    case .vorbis: "Ogg Vorbis"
    case .opus: "Opus"
    case .mp3: "MP3"
    }
  }

  /// Creates the format of a file name's extension; nil if it is unknown.
  public init?(extensionOf path: String) {
    let ending = fileExtension(of: path)
    guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else {
      return nil
    }
    self = format
  }

  /// Creates the format from the signature in a file's first bytes; 12 suffice.
  init?(signature bytes: [UInt8]) {
    func has(_ text: String, at start: Int) -> Bool {
      bytes.dropFirst(start).starts(with: text.utf8)
    }
    if ["RIFF", "RIFX", "RF64", "BW64"].contains(where: { has($0, at: 0) }) && has("WAVE", at: 8) {
      self = .wav
    } else if has("fLaC", at: 0) {
      self = .flac
    } else if has("FORM", at: 0) && (has("AIFF", at: 8) || has("AIFC", at: 8)) {
      self = .aiff
    } else if has("caff", at: 0) {
      self = .caf
    } else if has(".snd", at: 0) || has("dns.", at: 0) {
      self = .au
    } else if has("riff", at: 0) {
      self = .w64
    } else if has("OggS", at: 0) {
      self = .vorbis  // or Opus, which the first bytes don't show
    } else if has("ID3", at: 0) || Self.beginsMPEGFrame(bytes) {
      self = .mp3
    } else {
      return nil
    }
  }

  /// True for the start of an MPEG frame of any layer but 0, which is AAC.
  private static func beginsMPEGFrame(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0xF6 != 0xF0
  }

  /// The sample rates at which this format can be written, as text.
  var allowedRates: String {
    switch self {
    case .wav, .aiff, .caf, .au, .w64, .flac, .vorbis, .foreign:
      "a whole number of Hz from 8000 to 192000"
    case .opus: "8000, 12000, 16000, 24000 or 48000 Hz"
    case .mp3: "8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz"
    }
  }

  /// True if this format can be written at `rateHz`. Files hold whole rates only.
  func allows(rateHz: Double) -> Bool {
    guard rateHz == rateHz.rounded(), AudioFile.ratesHz.contains(rateHz) else { return false }
    switch self {
    case .wav, .aiff, .caf, .au, .w64, .flac, .vorbis: return true
    case .foreign: return false
    case .opus: return [8000, 12_000, 16_000, 24_000, 48_000].contains(rateHz)
    case .mp3:
      return [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(rateHz)
    }
  }

  /// Maximum number of channels that can be written.
  var maxChannelCount: Int {
    switch self {
    case .wav, .aiff, .caf, .au, .w64: 1024
    case .foreign: 0
    case .vorbis, .opus: 255
    case .flac: 8
    case .mp3: 2
    }
  }
}

/// The part of a file's name after its last dot, in lower case; empty without a dot.
func fileExtension(of path: String) -> String {
  let name = path.split(separator: "/").last ?? ""
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
  return name[name.index(after: dot)...].lowercased()
}
