import CSndFile

/// The encoding of samples in a file: the format, with its sample type or quality.
public enum AudioEncoding: Equatable, Sendable, CustomStringConvertible {
  case wav(SampleType)
  case flac(SampleType)
  case aiff(SampleType)
  case caf(SampleType)
  case au(SampleType)
  case w64(SampleType)
  /// Lossy Ogg Vorbis; `quality` from 0 (smallest) to 1 (best).
  case vorbis(quality: Double)
  /// Lossy Opus; `quality` from 0 (smallest) to 1 (best).
  case opus(quality: Double)
  /// Lossy MP3; `quality` from 0 (smallest) to 1 (best).
  case mp3(quality: Double)

  /// The type of one stored sample.
  public enum SampleType: String, CaseIterable, Codable, Sendable {
    case int8, int16, int24, int32, float32, float64

    /// Width of an integer type; nil for floating-point types.
    var integerBits: Int32? {
      switch self {
      case .int8: 8
      case .int16: 16
      case .int24: 24
      case .int32: 32
      case .float32, .float64: nil
      }
    }

    var bytes: Int {
      switch self {
      case .int8: 1
      case .int16: 2
      case .int24: 3
      case .int32, .float32: 4
      case .float64: 8
      }
    }
  }

  /// Creates the default encoding of a format: 32-bit float for WAV, CAF, AU and W64, which keeps
  /// every bit; 24-bit for FLAC and AIFF; quality 0.7 for lossy formats. `nil` for formats
  /// that are only read.
  public init?(default format: AudioFormat) {
    switch format {
    case .caf: self = .caf(.float32)
    case .au: self = .au(.float32)
    case .w64: self = .w64(.float32)
    case .foreign: return nil
    case .wav: self = .wav(.float32)
    case .flac: self = .flac(.int24)
    case .aiff: self = .aiff(.int24)
    case .vorbis: self = .vorbis(quality: 0.7)
    case .opus: self = .opus(quality: 0.7)
    case .mp3: self = .mp3(quality: 0.7)
    }
  }

  public var format: AudioFormat {
    switch self {
    case .wav: .wav
    case .flac: .flac
    case .aiff: .aiff
    case .caf: .caf
    case .au: .au
    case .w64: .w64
    case .vorbis: .vorbis
    case .opus: .opus
    case .mp3: .mp3
    }
  }

  /// Type of the stored samples; nil for lossy encodings, which store none.
  public var sampleType: SampleType? {
    switch self {
    case .wav(let type), .flac(let type), .aiff(let type), .caf(let type), .au(let type),
      .w64(let type):
      type
    case .vorbis, .opus, .mp3: nil
    }
  }

  /// Quality of a lossy encoding, 0 to 1.
  public var quality: Double? {
    switch self {
    case .wav, .flac, .aiff, .caf, .au, .w64: nil
    case .vorbis(let quality), .opus(let quality), .mp3(let quality): quality
    }
  }

  public var description: String {
    if let sampleType { return "\(format) \(sampleType)" }
    return "\(format) of quality \(quality ?? 0)"
  }

  /// True if sound of this size fits; AIFF and AU count their bytes in 32 bits. WAV does too, but
  /// longer ones become RF64.
  func holds(frames: Int, channelCount: Int) -> Bool {
    switch self {
    case .aiff(let type), .au(let type):
      frames * channelCount * type.bytes < Int(UInt32.max) - 4096  // room for the header
    case .wav, .flac, .caf, .w64, .vorbis, .opus, .mp3: true
    }
  }

  /// The sample types that libsndfile can store in `format`.
  static func sampleTypes(of format: AudioFormat) -> [SampleType] {
    switch format {
    case .wav, .aiff, .caf, .au, .w64: SampleType.allCases
    case .flac: [.int8, .int16, .int24]
    case .vorbis, .opus, .mp3, .foreign: []
    }
  }
}

extension AudioEncoding {
  /// libsndfile's code for this encoding.
  var sndfileFormat: Int32 {
    let number =
      switch self {
      case .wav(.int8): SF_FORMAT_WAV | SF_FORMAT_PCM_U8  // 8-bit WAV is unsigned
      case .wav(let type): SF_FORMAT_WAV | type.sndfileSubtype
      case .flac(let type): SF_FORMAT_FLAC | type.sndfileSubtype
      case .aiff(let type): SF_FORMAT_AIFF | type.sndfileSubtype
      case .caf(let type): SF_FORMAT_CAF | type.sndfileSubtype
      case .au(let type): SF_FORMAT_AU | type.sndfileSubtype
      case .w64(.int8): SF_FORMAT_W64 | SF_FORMAT_PCM_U8  // as in WAV
      case .w64(let type): SF_FORMAT_W64 | type.sndfileSubtype
      case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
      case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
      }
    return Int32(number)
  }
}

extension AudioEncoding.SampleType {
  fileprivate var sndfileSubtype: Int {
    switch self {
    case .int8: SF_FORMAT_PCM_S8
    case .int16: SF_FORMAT_PCM_16
    case .int24: SF_FORMAT_PCM_24
    case .int32: SF_FORMAT_PCM_32
    case .float32: SF_FORMAT_FLOAT
    case .float64: SF_FORMAT_DOUBLE
    }
  }

  /// Creates the type for libsndfile's code; nil for companded and lossy ones.
  init?(sndfileFormat: Int32) {
    switch Int(sndfileFormat) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_U8, SF_FORMAT_PCM_S8: self = .int8
    case SF_FORMAT_PCM_16: self = .int16
    case SF_FORMAT_PCM_24: self = .int24
    case SF_FORMAT_PCM_32: self = .int32
    case SF_FORMAT_FLOAT: self = .float32
    case SF_FORMAT_DOUBLE: self = .float64
    default: return nil
    }
  }
}

extension AudioFormat {
  /// Creates the format for libsndfile's code; nil for one that this toolkit does not read.
  init?(sndfileFormat: Int32) {
    let container = Int(sndfileFormat) & SF_FORMAT_TYPEMASK
    let subtype = Int(sndfileFormat) & SF_FORMAT_SUBMASK
    switch container {
    case SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64: self = .wav
    case SF_FORMAT_FLAC: self = .flac
    case SF_FORMAT_AIFF: self = .aiff
    case SF_FORMAT_CAF: self = .caf
    case SF_FORMAT_AU: self = .au
    case SF_FORMAT_W64: self = .w64
    case SF_FORMAT_OGG where subtype == SF_FORMAT_VORBIS: self = .vorbis
    case SF_FORMAT_OGG where subtype == SF_FORMAT_OPUS: self = .opus
    case SF_FORMAT_MPEG: self = .mp3
    default: return nil
    }
  }
}
