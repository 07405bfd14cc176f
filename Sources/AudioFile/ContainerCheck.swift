import Foundation

/// Checks from the container that a file is complete, independently of libsndfile.
///
/// libsndfile takes a WAV or AIFF file that ends early for a shorter complete one, and can't tell
/// an Ogg stream cut between two pages from one that ended. The containers have this information.
struct ContainerCheck {
  /// The first bytes, which identify the format.
  let signature: [UInt8]
  /// Size of the file.
  let byteCount: Int
  /// Number of bytes announced by the header of an uncompressed format beyond the end of the file.
  private let missingBytes: Int
  /// True if the last Ogg page is marked as the end of its stream.
  private let endsItsOggStream: Bool
  /// True if an MP3 begins with a Xing or Info header, which counts its frames.
  let mp3CountsItsFrames: Bool
  /// The samples of a W64 file with an extensible format; `nil` for all other files.
  let extensibleW64: ExtensibleSamples?

  /// The samples as an extensible format chunk describes them.
  struct ExtensibleSamples: Equatable {
    /// Code of the format, as in WAV: 1 is integers, 3 is floats.
    var code: Int
    var bits: Int
  }

  /// Reads at explicit positions, which leaves the descriptor's own position unchanged.
  init(descriptor: Int32) {
    let bytes = PositionedBytes(descriptor: descriptor)
    byteCount = bytes.count
    signature = bytes.read(12, at: 0)
    let format = AudioFormat(signature: signature)
    missingBytes =
      switch format {
      case .wav: bytes.missing(from: "data", littleEndian: true)
      case .aiff: bytes.missing(from: "SSND", littleEndian: false)
      case .caf: bytes.missingFromCAF
      case .au: bytes.missingFromAU
      case .w64: bytes.missingFromW64
      default: 0
      }
    endsItsOggStream = format == .vorbis && bytes.lastOggPageEndsStream
    mp3CountsItsFrames = format == .mp3 && bytes.hasXingHeader
    extensibleW64 = format == .w64 ? bytes.extensibleSamplesOfW64 : nil
  }

  /// Describes how the file is cut short; nil if it is complete, or if its format does not say.
  func cut(_ format: AudioFormat) -> String? {
    switch format {
    case .wav, .aiff, .caf, .au, .w64:
      missingBytes > 0 ? "its header announces \(missingBytes) bytes more" : nil
    case .vorbis, .opus: endsItsOggStream ? nil : "its last page is missing"
    case .flac, .mp3, .aac: nil
    }
  }
}

private struct PositionedBytes {
  let descriptor: Int32
  let count: Int

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads up to `length` bytes from `position`; fewer at the end of the file or after an error.
  func read(_ length: Int, at position: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, length, off_t(position)))
    }
  }

  /// Finds the sound chunk of a RIFF or AIFF file; returns the number of its bytes beyond the end
  /// of the file.
  ///
  /// Programs that write to a pipe don't know the length and announce nearly 2 or 4 GiB. Such a
  /// length counts as complete.
  func missing(from soundChunk: String, littleEndian: Bool) -> Int {
    var position = 12
    while position + 8 <= count {
      let header = read(8, at: position)
      guard header.count == 8 else { return 0 }
      let lengthBytes = littleEndian ? header[4...].reversed() : Array(header[4...])
      let length = lengthBytes.reduce(0) { $0 << 8 | Int($1) }
      if header.starts(with: soundChunk.utf8) {
        return length >= 0x7FFF_F000 ? 0 : max(0, position + 8 + length - count)
      }
      position += 8 + length + length % 2  // chunks begin at even positions
    }
    return 0
  }

  /// Missing bytes of a CAF file. Chunks have a name of 4 bytes and a big-endian length of 8; a
  /// length of −1 is unknown.
  var missingFromCAF: Int {
    var position = 8
    while position + 12 <= count {
      let header = read(12, at: position)
      guard header.count == 12 else { return 0 }
      let length = number(header[4...])
      if header.starts(with: "data".utf8) {
        return length < 0 ? 0 : missing(upTo: position + 12, and: length)
      }
      guard length >= 0, length < count else { return 0 }
      position += 12 + length
    }
    return 0
  }

  /// Missing bytes of an AU file. Bytes 4 to 7 hold the start of the sound, 8 to 11 its length; all
  /// ones mean unknown.
  var missingFromAU: Int {
    let header = read(12, at: 0)
    guard header.count == 12 else { return 0 }
    let isBig = header.starts(with: ".snd".utf8)
    func field(_ place: Int) -> Int {
      let bytes = header[place..<place + 4]
      return number(isBig ? Array(bytes) : bytes.reversed())
    }
    return field(8) == 0xFFFF_FFFF ? 0 : missing(upTo: field(4), and: field(8))
  }

  /// Missing bytes of a W64 file.
  var missingFromW64: Int {
    guard let data = chunkOfW64("data") else { return 0 }
    return missing(upTo: data.position, and: data.length)
  }

  /// The samples of a W64 file whose format chunk is extensible.
  var extensibleSamplesOfW64: ContainerCheck.ExtensibleSamples? {
    guard let format = chunkOfW64("fmt ") else { return nil }
    let fields = read(26, at: format.position + 24)
    func field(_ place: Int) -> Int { Int(fields[place]) | Int(fields[place + 1]) << 8 }
    guard fields.count == 26, field(0) == 0xFFFE else { return nil }
    return .init(code: field(24), bits: field(14))
  }

  /// Finds a chunk of a W64 file. Chunks have a name of 16 bytes and a little-endian length of 8,
  /// which includes both; they begin at multiples of 8.
  private func chunkOfW64(_ name: String) -> (position: Int, length: Int)? {
    var position = 40  // after "riff", its length, and "wave"
    while position + 24 <= count {
      let header = read(24, at: position)
      guard header.count == 24 else { return nil }
      let length = number(header[16...].reversed())
      guard length >= 24 else { return nil }
      if header.starts(with: name.utf8) { return (position, length) }
      guard length < count else { return nil }
      position += (length + 7) / 8 * 8
    }
    return nil
  }

  /// A signed number of up to 8 bytes, most significant first.
  private func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Number of bytes of a chunk beyond the end of the file.
  private func missing(upTo start: Int, and length: Int) -> Int {
    let (end, overflow) = start.addingReportingOverflow(length)
    return overflow ? Int.max : max(0, end - count)
  }

  /// True if the last Ogg page ends its stream, by bit 2 of byte 5 of its header. A page has at
  /// most 65,307 bytes.
  var lastOggPageEndsStream: Bool {
    let tail = read(65_307, at: max(0, count - 65_307))
    let mark = Array("OggS".utf8)
    guard let page = tail.indices.dropLast(5).last(where: { tail[$0...].starts(with: mark) }) else {
      return false
    }
    return tail[page + 5] & 4 != 0
  }

  /// True if the first MPEG frame has a Xing header, after an ID3 tag whose length is in 7-bit
  /// bytes.
  var hasXingHeader: Bool {
    let head = read(10, at: 0)
    var start = 0
    if head.count == 10 && head.starts(with: "ID3".utf8) {
      start = 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    let frame = read(64, at: start)
    return frame.indices.contains { i in
      frame[i...].starts(with: "Xing".utf8) || frame[i...].starts(with: "Info".utf8)
    }
  }
}
