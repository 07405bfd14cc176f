import CSndFile

/// The encoding of samples in a file: the format, with its sample type or quality.
public struct AudioEncoding: Equatable, Sendable, CustomStringConvertible {
  public let format: AudioFormat
  /// Type of the stored samples; nil for lossy encodings, which store none.
  public let sampleType: SampleType?
  /// Quality of a lossy encoding, from 0 (smallest) to 1 (best); nil for all others.
  public let quality: Double?

  /// The type of one stored sample.
  public enum SampleType: String, CaseIterable, Codable, Sendable {
    case int8, int16, int24, int32, float32, float64

    /// Width in bytes, and libsndfile's code.
    private var stored: (bytes: Int, code: Int) {
      switch self {
      case .int8: (1, SF_FORMAT_PCM_S8)
      case .int16: (2, SF_FORMAT_PCM_16)
      case .int24: (3, SF_FORMAT_PCM_24)
      case .int32: (4, SF_FORMAT_PCM_32)
      case .float32: (4, SF_FORMAT_FLOAT)
      case .float64: (8, SF_FORMAT_DOUBLE)
      }
    }

    var bytes: Int { stored.bytes }
    fileprivate var sndfileSubtype: Int { stored.code }

    /// Width of an integer type; nil for floating-point types.
    var integerBits: Int32? {
      self == .float32 || self == .float64 ? nil : Int32(8 * bytes)
    }

    /// Creates the type for libsndfile's code; nil for companded and lossy ones.
    init?(sndfileFormat: Int32) {
      let code = Int(sndfileFormat) & SF_FORMAT_SUBMASK
      let known = Self.allCases.first { $0.sndfileSubtype == code }
      guard let type = code == SF_FORMAT_PCM_U8 ? .int8 : known else { return nil }
      self = type
    }
  }

  init(_ format: AudioFormat, _ sampleType: SampleType?, quality: Double? = nil) {
    (self.format, self.sampleType, self.quality) = (format, sampleType, quality)
  }

  /// Creates the default encoding of a format: 32-bit float for WAV, CAF, AU and W64, which keeps
  /// every bit; 24-bit for FLAC and AIFF; quality 0.7 for lossy formats. `nil` for formats
  /// that are only read.
  public init?(default format: AudioFormat) {
    guard format != .foreign else { return nil }
    let type = format.properties.defaultType
    self.init(format, type, quality: type == nil ? 0.7 : nil)
  }

  public static func wav(_ type: SampleType) -> AudioEncoding { .init(.wav, type) }
  public static func flac(_ type: SampleType) -> AudioEncoding { .init(.flac, type) }

  public var description: String {
    if let sampleType { return "\(format) \(sampleType)" }
    return "\(format) of quality \(quality ?? 0)"
  }

  /// True if sound of this size fits.
  func holds(frames: Int, channelCount: Int) -> Bool {
    // The header takes less than 4096 bytes.
    !format.properties.isShorterThan4GiB
      || frames * channelCount * (sampleType?.bytes ?? 0) < Int(UInt32.max) - 4096
  }

  /// True if libsndfile can store the sample type, or knows the quality.
  var isStorable: Bool {
    sampleType.map(format.properties.sampleTypes.contains) ?? (0...1).contains(quality ?? -1)
  }

  /// libsndfile's code for this encoding.
  var sndfileFormat: Int32 {
    let properties = format.properties
    guard let container = properties.container else {
      preconditionFailure("\(format) is only read here")
    }
    let isUnsigned = sampleType == .int8 && properties.hasUnsignedBytes
    let subtype = isUnsigned ? SF_FORMAT_PCM_U8 : sampleType?.sndfileSubtype
    return Int32(container | (subtype ?? properties.codec ?? 0))
  }
}
