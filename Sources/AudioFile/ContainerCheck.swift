import Foundation

/// What a file's container says about whether the file is all there, looked up beside libsndfile.
///
/// libsndfile takes a WAV or AIFF file that ends early for a shorter whole one, and cannot tell an
/// Ogg stream cut between two pages from one that ended. The containers do say.
struct ContainerCheck {
  /// The first bytes, enough to know the format.
  let signature: [UInt8]
  /// The size of the file.
  let byteCount: Int
  /// Bytes that a header of an uncompressed format announces beyond the end of the file.
  private let missingBytes: Int
  /// Whether the last Ogg page is marked as the end of its stream.
  private let endsItsOggStream: Bool
  /// Whether an MP3 opens with a Xing or Info header, which counts its frames.
  let mp3CountsItsFrames: Bool

  /// Reads by position, so that the descriptor's own place in the file is untouched.
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
  }

  /// How the file is cut short, in words; nil where it is whole, or its format does not say.
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

  /// Up to `length` bytes from `position`; fewer where the file ends or cannot be read.
  func read(_ length: Int, at position: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, length, off_t(position)))
    }
  }

  /// Walks a RIFF or AIFF file's chunks to the one with the sound; returns how many of its bytes
  /// lie beyond the end of the file.
  ///
  /// Programs that write to a pipe cannot know the length and announce nearly 2 or 4 GiB; such a
  /// length says nothing, and counts as whole.
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
      position += 8 + length + length % 2  // chunks begin at even places
    }
    return 0
  }

  /// Chunks of a name of 4 bytes and a length of 8, big-endian; a length of −1 says nothing.
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

  /// Where the sound begins stands in bytes 4 to 7, its length in 8 to 11; all ones say nothing.
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

  /// Chunks of a name of 16 bytes and a length of 8, little-endian, which counts both as well;
  /// they begin at multiples of 8.
  var missingFromW64: Int {
    var position = 40  // behind "riff", its length, and "wave"
    while position + 24 <= count {
      let header = read(24, at: position)
      guard header.count == 24 else { return 0 }
      let length = number(header[16...].reversed())
      if header.starts(with: "data".utf8) {
        return length < 24 ? 0 : missing(upTo: position, and: length)
      }
      guard length >= 24, length < count else { return 0 }
      position += (length + 7) / 8 * 8
    }
    return 0
  }

  /// Of up to 8 bytes, the most significant first, as a number with a sign.
  private func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// How far a chunk reaches beyond the end of the file.
  private func missing(upTo start: Int, and length: Int) -> Int {
    let (end, overflow) = start.addingReportingOverflow(length)
    return overflow ? Int.max : max(0, end - count)
  }

  /// A page is at most 65,307 bytes long; its header says in bit 2 of byte 5 that it is the last.
  var lastOggPageEndsStream: Bool {
    let tail = read(65_307, at: max(0, count - 65_307))
    let mark = Array("OggS".utf8)
    guard let page = tail.indices.dropLast(5).last(where: { tail[$0...].starts(with: mark) }) else {
      return false
    }
    return tail[page + 5] & 4 != 0
  }

  /// The header lies in the first MPEG frame, behind an ID3 tag whose length is in 7-bit bytes.
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
