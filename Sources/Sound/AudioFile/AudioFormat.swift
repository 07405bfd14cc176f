import CSndFile
import Platform

/// The sound file formats that this toolkit reads; all but the last can be written.
public enum AudioFormat: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
  case wav, flac, aiff, caf, au, w64, vorbis, opus, mp3
  /// Any other, such as AAC in MPEG-4, read by ffmpeg if that is installed.
  case foreign

  /// The properties of a format.
  struct Properties {
    var name: String
    /// File extensions; the first is the default.
    var extensions: [String]
    /// libsndfile's code of the container; `nil` if libsndfile does not read the format.
    var container: Int?
    /// libsndfile's code of the codec of a lossy format.
    var codec: Int?
    /// Types of the samples that libsndfile can store; empty for lossy formats.
    var sampleTypes: [AudioEncoding.SampleType] = []
    /// The default of `sampleTypes`: float where the format has it, which keeps every bit.
    var defaultType: AudioEncoding.SampleType?
    /// Maximum number of channels that can be written.
    var maxChannelCount = 1024
    /// The only sample rates that can be written; `nil` for all whole ones in `AudioFile.ratesHz`.
    var ratesHz: [Int]?
    /// True if the announced length is exact; lossy formats pad their ends.
    var countsItsFrames = false
    /// True if bytes are counted in 32 bits, so that a file is shorter than 4 GiB. WAV counts so too,
    /// but longer files become RF64.
    var isShorterThan4GiB = false
    /// True if samples of 8 bits are stored without a sign.
    var hasUnsignedBytes = false
  }

  var properties: Properties {
    let all = AudioEncoding.SampleType.allCases
    return switch self {
    case .wav:
      Properties(
        name: "WAV", extensions: ["wav", "wave"], container: SF_FORMAT_WAV, sampleTypes: all,
        defaultType: .float32, countsItsFrames: true, hasUnsignedBytes: true)
    case .flac:
      Properties(
        name: "FLAC", extensions: ["flac"], container: SF_FORMAT_FLAC,
        sampleTypes: [.int8, .int16, .int24], defaultType: .int24, maxChannelCount: 8,
        countsItsFrames: true)
    case .aiff:
      Properties(
        name: "AIFF", extensions: ["aiff", "aif", "aifc"], container: SF_FORMAT_AIFF,
        sampleTypes: all, defaultType: .int24, countsItsFrames: true, isShorterThan4GiB: true)
    case .caf:
      Properties(
        name: "CAF", extensions: ["caf"], container: SF_FORMAT_CAF, sampleTypes: all,
        defaultType: .float32)
    case .au:
      Properties(
        name: "AU", extensions: ["au", "snd"], container: SF_FORMAT_AU, sampleTypes: all,
        defaultType: .float32, isShorterThan4GiB: true)
    case .w64:
      Properties(
        name: "W64", extensions: ["w64"], container: SF_FORMAT_W64, sampleTypes: all,
        defaultType: .float32, hasUnsignedBytes: true)
    case .vorbis:
      Properties(
        name: "Ogg Vorbis", extensions: ["ogg", "oga"], container: SF_FORMAT_OGG,
        codec: SF_FORMAT_VORBIS, maxChannelCount: 255)
    case .opus:
      Properties(
        name: "Opus", extensions: ["opus", "ogg", "oga"], container: SF_FORMAT_OGG,
        codec: SF_FORMAT_OPUS, maxChannelCount: 255,
        ratesHz: [8000, 12_000, 16_000, 24_000, 48_000])
    case .mp3:
      Properties(
        name: "MP3", extensions: ["mp3"], container: SF_FORMAT_MPEG,
        codec: SF_FORMAT_MPEG_LAYER_III, maxChannelCount: 2,
        ratesHz: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
    case .foreign:
      Properties(
        name: "a format of ffmpeg",
        extensions: [
          "m4a", "aac", "mp4", "mov", "3gp", "mka", "mkv", "webm", "wma", "asf", "amr", "ape", "wv",
          "tta", "spx", "ac3", "sph", "voc",
        ], maxChannelCount: 0, ratesHz: [], countsItsFrames: true)
    }
  }

  /// Formats that can be written.
  public static let writable = allCases.filter { $0 != .foreign }

  /// A list such as "WAV, FLAC, … or MP3" for help texts.
  public static let allNames =
    writable.map(\.description).joined(separator: ", ") + ", or by ffmpeg M4A, MOV, WebM and others"

  public var extensions: [String] { properties.extensions }
  public var description: String { properties.name }

  /// The sample rates at which this format can be written, as text.
  var allowedRates: String {
    guard let rates = properties.ratesHz, let last = rates.last else {
      return "a whole number of Hz from 8000 to 192000"
    }
    return rates.dropLast().map(String.init).joined(separator: ", ") + " or \(last) Hz"
  }

  /// True if this format can be written at `rateHz`. Files hold whole rates only.
  func allows(rateHz: Double) -> Bool {
    guard let whole = Int(exactly: rateHz), AudioFile.ratesHz.contains(rateHz) else { return false }
    return properties.ratesHz?.contains(whole) ?? true
  }

  // MARK: Recognizing

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
    func has(_ texts: String..., at start: Int = 0) -> Bool {
      texts.contains { bytes.dropFirst(start).starts(with: $0.utf8) }
    }
    if has("RIFF", "RIFX", "RF64", "BW64") && has("WAVE", at: 8) {
      self = .wav
    } else if has("fLaC") {
      self = .flac
    } else if has("FORM") && has("AIFF", "AIFC", at: 8) {
      self = .aiff
    } else if has("caff") {
      self = .caf
    } else if has(".snd", "dns.") {
      self = .au
    } else if has("riff") {
      self = .w64
    } else if has("OggS") {
      self = .vorbis  // or Opus, which the first bytes don't show
    } else if has("ID3") || Self.beginsMPEGFrame(bytes) {
      self = .mp3
    } else {
      return nil
    }
  }

  /// True for the start of an MPEG frame of any layer but 0, which AAC and markers of JPEG have there.
  private static func beginsMPEGFrame(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x06 != 0
  }

  /// Creates the format for libsndfile's code; nil for one that this toolkit does not read.
  init?(sndfileFormat: Int32) {
    var container = Int(sndfileFormat) & SF_FORMAT_TYPEMASK
    let codec = Int(sndfileFormat) & SF_FORMAT_SUBMASK
    if [SF_FORMAT_WAVEX, SF_FORMAT_RF64].contains(container) { container = SF_FORMAT_WAV }
    let known = Self.writable.first {
      let properties = $0.properties
      // The layers of MPEG are one format here.
      return properties.container == container
        && (container != SF_FORMAT_OGG || properties.codec == codec)
    }
    guard let known else { return nil }
    self = known
  }

  /// The reason why this machine's libsndfile can't write the format; `nil` if it can.
  ///
  /// libsndfile can be built without MP3, Ogg Vorbis and Opus, and then has no other sign of it.
  public var encoderProblem: String? {
    guard let encoding = AudioEncoding(default: self) else { return "\(self) is only read here" }
    do throws(FileSink.Failure) {
      _ = try SoundFileWriter(
        to: FileSink("/dev/null"), encoding: encoding, channelCount: 1, sampleRateHz: 48_000,
        isShort: true)
      return nil
    } catch { return "this machine's libsndfile can't write \(self): \(error.reason)" }
  }
}

/// The part of a file's name after its last dot, in lower case; empty without a dot.
func fileExtension(of path: String) -> String {
  let name = path.split(separator: "/").last ?? ""
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
  return name[name.index(after: dot)...].lowercased()
}
