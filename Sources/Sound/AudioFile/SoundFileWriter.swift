import CSndFile
import Platform

/// A sound file open for writing.
///
/// A WAV file whose length is not known has room in its header for the 64-bit lengths of RF64, and
/// becomes RF64 where it passes 4 GiB.
///
/// - Source: EBU Tech 3306, "MBWF / RF64".
struct SoundFileWriter: ~Copyable {
  /// Number of samples beyond full scale of an integer encoding.
  private(set) var clippedSamples = 0
  private(set) var frameCount = 0
  private let sink: FileSink
  private var handle: SoundFileHandle
  private let channelCount: Int
  private let integerBits: Int32?
  private var integers: [Int32] = []

  /// - Parameter isShort: true if the file will stay below 4 GiB for certain.
  init(
    to sink: FileSink, encoding: AudioEncoding, channelCount: Int, sampleRateHz: Double,
    isShort: Bool
  ) throws(FileSink.Failure) {
    var raw = SF_INFO()
    raw.format = encoding.sndfileFormat
    let mayBecomeRF64 = encoding.format == .wav && !isShort
    if mayBecomeRF64 {
      raw.format = raw.format & Int32(SF_FORMAT_SUBMASK) | Int32(SF_FORMAT_RF64)
    }
    raw.channels = Int32(channelCount)
    raw.samplerate = Int32(sampleRateHz)
    var calls = FileSink.calls
    let context = Unmanaged.passUnretained(sink).toOpaque()
    guard let opened = sf_open_virtual(&calls, Int32(SFM_WRITE), &raw, context) else {
      throw FileSink.Failure(reason: sink.failure?.reason ?? String(cString: sf_strerror(nil)))
    }
    self.sink = sink
    handle = SoundFileHandle(opened, through: sink)
    self.channelCount = channelCount
    integerBits = encoding.sampleType?.integerBits
    if mayBecomeRF64 {
      sf_command(opened, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    }
    // The peak chunk contains the date, which would make every file differ.
    sf_command(opened, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    if var quality = encoding.quality {
      let size = Int32(MemoryLayout<Double>.size)
      sf_command(opened, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, size)
    }
  }

  /// Appends whole interleaved frames.
  ///
  /// - Throws: the first refusal; `frameCount` says how much was written, and `close` completes that.
  mutating func write(_ samples: [Float]) throws(FileSink.Failure) {
    let frames = sf_count_t(samples.count / channelCount)
    let written: sf_count_t
    if let bits = integerBits {
      quantize(samples, bits: bits)
      written = sf_writef_int(handle.raw, integers, frames)
    } else {
      written = sf_writef_float(handle.raw, samples, frames)
    }
    frameCount += Int(max(0, written))
    if let failure = sink.clearFailure() { throw failure }
    if let failure = handle.failure { throw FileSink.Failure(reason: failure) }
    if written != frames { throw FileSink.Failure(reason: "the encoder accepted only a part") }
  }

  /// Writes the encoder's remaining data and the header's final lengths, and puts the file in its
  /// place.
  mutating func close() throws(FileSink.Failure) {
    let failure = handle.close()
    if let refusal = sink.failure { throw refusal }
    if let failure { throw FileSink.Failure(reason: failure) }
    try sink.finish()
  }

  /// Rounds samples to integers of `bits`, left-aligned in 32 as libsndfile expects.
  ///
  /// libsndfile's own conversions round in FLAC and truncate in WAV, so they are not used.
  private mutating func quantize(_ samples: [Float], bits: Int32) {
    let scale = Double(sign: .plus, exponent: Int(bits) - 1, significand: 1)
    integers.removeAll(keepingCapacity: true)
    for sample in samples {
      if abs(sample) > 1 { clippedSamples += 1 }
      let level = (Double(sample) * scale).rounded(.toNearestOrEven)
      integers.append(Int32(min(max(level, -scale), scale - 1)) << (32 - bits))
    }
  }
}

/// Owns one libsndfile handle and closes it at the end of its life.
struct SoundFileHandle: ~Copyable {
  private var open: OpaquePointer?
  /// The context of libsndfile's callbacks, which must outlive the handle.
  private let file: AnyObject

  /// - Parameter file: the sink or source that libsndfile calls.
  init(_ opened: OpaquePointer, through file: AnyObject) {
    open = opened
    self.file = file
  }

  deinit { if let open { sf_close(open) } }

  /// libsndfile's pointer, valid for the length of one call.
  var raw: OpaquePointer {
    guard let open else { preconditionFailure("a closed sound file is used") }
    return open
  }

  /// libsndfile's error of the last call; nil if there was none.
  var failure: String? { Self.text(for: sf_error(raw)) }

  /// Closes the handle; returns the error, nil if there was none.
  mutating func close() -> String? {
    let status = sf_close(raw)
    open = nil
    return Self.text(for: status)
  }

  /// The text of an error: "Error : flac decoder lost sync." becomes "flac decoder lost sync".
  private static func text(for status: Int32) -> String? {
    guard status != SF_ERR_NO_ERROR else { return nil }
    var text = String(cString: sf_error_number(status))
    if text.hasPrefix("Error : ") { text.removeFirst("Error : ".count) }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
