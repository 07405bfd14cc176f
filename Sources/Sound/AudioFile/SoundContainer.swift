import Foundation

/// The container of a sound file, read independently of libsndfile.
///
/// libsndfile takes a WAV or AIFF file that ends early for a shorter complete one, can't tell an Ogg
/// stream cut between two pages from one that ended, and stops at the first of several. It refuses
/// some headers that other programs write. The containers have this information.
struct SoundContainer {
  /// The first bytes, which identify the format.
  let signature: [UInt8]
  /// Size of the file.
  let byteCount: Int
  /// The parts of the file that libsndfile reads one after the other: one, or the links of a chained
  /// Ogg file and of joined MP3 files. Tags at the end of a FLAC or MP3 file are left out, and an ID3v2
  /// tag in front of a WAV, AIFF or FLAC.
  private(set) var parts: [Range<Int>]
  /// Header fields in the form that libsndfile reads, by position.
  private(set) var corrections: [Int: [UInt8]] = [:]
  /// Describes how the file is cut short; `nil` if it is complete, or if its format does not say.
  private(set) var cut: String?
  /// Deviations from the format that leave the sound whole.
  private(set) var remarks: [String] = []
  /// True if every part of an MP3 begins with a Xing or Info header, which counts its frames.
  private(set) var mp3CountsItsFrames = false
  /// Name of a codec that libsndfile does not read; `nil` for all others.
  private(set) var foreignCodec: String?
  private let bytes: PositionedBytes

  /// Reads at explicit positions, which leaves the descriptor's own position unchanged.
  init(descriptor: Int32) {
    bytes = PositionedBytes(descriptor: descriptor)
    byteCount = bytes.count
    // libsndfile skips a tag in front of these, but then miscounts their lengths.
    let tagEnd = bytes.endOfID3(at: 0)
    let isTagged = [.wav, .aiff, .flac].contains(AudioFormat(signature: bytes.read(16, at: tagEnd)))
    let start = isTagged ? tagEnd : 0
    signature = bytes.read(16, at: start)
    parts = [start..<byteCount]
    switch AudioFormat(signature: signature) {
    case .wav: readWAV()
    case .aiff: readChunks(sound: "SSND", isLittleEndian: false)
    case .caf: readCAF()
    case .au: readAU()
    case .w64: readW64()
    case .flac: parts = [start..<bytes.endWithoutTags]
    case .vorbis: readOgg()
    case .mp3: readMP3()
    default: foreignCodec = Self.foreignFormat(signature)
    }
  }

  /// The remark about a header that its writer did not complete.
  private static func unfinished(isReadToItsEnd: Bool = true) -> String {
    "its header does not give the length of its sound, as after a crash of the recorder; "
      + (isReadToItsEnd ? "the sound is read to the end of the file" : "its first 4 GiB are read")
  }

  // MARK: WAV and AIFF

  private mutating func readWAV() {
    if signature.starts(with: "BW64".utf8) {
      // BW64 differs from RF64 in its name and in chunks that describe objects (ITU-R BS.2088).
      corrections[parts[0].lowerBound] = Array(
        (signature.dropFirst(12).starts(with: "ds64".utf8) ? "RF64" : "RIFF").utf8)
    }
    readChunks(sound: "data", isLittleEndian: !signature.starts(with: "RIFX".utf8))
  }

  /// Finds the sound chunk of a RIFF or AIFF file, and compares its length with the file's.
  private mutating func readChunks(sound: String, isLittleEndian: Bool) {
    var position = parts[0].lowerBound + 12
    var longLength: (value: Int, position: Int)?  // of RF64, whose other lengths are 32 ones
    while let (name, length) = bytes.chunk(at: position, isLittleEndian) {
      let start = position + 8
      if name == Array("ds64".utf8) {
        longLength = (number(bytes.read(8, at: start + 8).reversed()), start + 8)
      }
      if name == Array(sound.utf8) {
        let long = length == 0xFFFF_FFFF ? longLength : nil
        let there = byteCount - start
        // A length of 2⁶³ or more is negative here.
        let announced = long.map { $0.value < 0 ? Int.max : $0.value } ?? length
        // In AIFF, an offset and a block size stand in front of the sound.
        let none = sound == "SSND" ? 8 : 0
        if Self.isUnknown(announced, there)
          || announced <= none && there > none
            && !bytes.areChunks(from: start + announced, isLittleEndian)
        {
          let known = long == nil ? min(there, 0xFFFF_FFFF) : there
          let field = littleEndian(known, long == nil ? 4 : 8)
          corrections[long?.position ?? position + 4] = isLittleEndian ? field : field.reversed()
          remarks.append(Self.unfinished(isReadToItsEnd: known == there))
        } else {
          expect(announced, from: start)
          let end = cut == nil ? start + announced + announced % 2 : byteCount
          if end < byteCount - 4096, !bytes.areChunks(from: end, isLittleEndian) {
            remarks.append("the last \(byteCount - end) bytes belong to no chunk and are not read")
          }
        }
        return
      }
      position = start + length + length % 2  // chunks begin at even positions
    }
  }

  /// True for the lengths that programs announce before they know it: nearly 2 or 4 GiB.
  private static func isUnknown(_ announced: Int, _ there: Int) -> Bool {
    announced > there
      && (0x7FFF_F000...0x8000_0FFF ~= announced || 0xFFFF_F000...0xFFFF_FFFF ~= announced)
  }

  /// Notes the bytes of sound that the header announces beyond the end of the file.
  private mutating func expect(_ length: Int, from start: Int) {
    let (end, overflow) = start.addingReportingOverflow(length)
    if overflow || end > byteCount {
      cut = "its header announces \(overflow ? Int.max : end - byteCount) bytes more"
    }
  }

  // MARK: CAF, AU and W64

  /// Chunks of CAF have a name of 4 bytes and a big-endian length of 8; the last may have a length of
  /// −1, which is unknown.
  private mutating func readCAF() {
    var position = 8
    while let (name, length) = bytes.chunk(at: position, false, lengthBytes: 8) {
      let start = position + 12
      if name == Array("data".utf8) {
        let there = byteCount - start
        // A count of edits, of 4 bytes, stands in front of the sound.
        let isUnfinished =
          length == 4 && there > 4 && !bytes.areChunks(from: start + 4, false, lengthBytes: 8)
        guard length == -1 || isUnfinished else { return expect(length, from: start) }
        corrections[position + 4] = littleEndian(there, 8).reversed()
        if isUnfinished { remarks.append(Self.unfinished()) }
        return
      }
      guard length >= 0, length < byteCount else { return }
      position = start + length
    }
  }

  /// Bytes 4 to 7 of AU hold the start of the sound, 8 to 11 its length; all ones mean unknown.
  private mutating func readAU() {
    let header = bytes.read(12, at: 0)
    guard header.count == 12 else { return }
    let isBig = header.starts(with: ".snd".utf8)
    func field(_ place: Int) -> Int {
      let bytes = header[place..<place + 4]
      return number(isBig ? Array(bytes) : bytes.reversed())
    }
    switch field(8) {
    case 0xFFFF_FFFF: break
    case 0 where byteCount > field(4):
      corrections[8] = [0xFF, 0xFF, 0xFF, 0xFF]
      remarks.append(Self.unfinished())
    case let length: expect(length, from: field(4))
    }
  }

  private mutating func readW64() {
    // libsndfile takes all samples of an extensible format for integers; the code in front of the
    // chunk counts if it is another.
    if let format = bytes.chunkOfW64("fmt ") {
      let fields = bytes.read(26, at: format.position + 24)
      if fields.count == 26, fields[0...1] == [0xFE, 0xFF] {
        corrections[format.position + 24] = Array(fields[24...])
      }
    }
    guard let data = bytes.chunkOfW64("data") else { return }
    if data.length == Int.max {  // as ffmpeg announces before it knows
      corrections[data.position + 16] = littleEndian(byteCount - data.position, 8)
      return remarks.append(Self.unfinished())
    }
    expect(data.length, from: data.position)
  }

  // MARK: MP3

  /// Follows the lengths that Xing headers give: what comes after one and is longer than tags is
  /// another file, joined to it.
  private mutating func readMP3() {
    var begins = [0]
    let end = bytes.endWithoutTags
    mp3CountsItsFrames = true
    while true {
      guard let header = bytes.xingHeader(after: begins[begins.count - 1]) else {
        mp3CountsItsFrames = false
        break
      }
      guard let headerEnd = header.end,
        let next = bytes.firstMPEGFrame(
          within: 512, of: max(headerEnd, begins[begins.count - 1] + 1)),
        next < end,
        end - next > 8192 || bytes.xingHeader(after: next) != nil  // other tags are smaller
      else { break }
      begins.append(next)
    }
    divide(at: begins, end: end)
  }

  /// Divides the file, up to `end`, into parts.
  private mutating func divide(at begins: [Int], end: Int) {
    parts = zip(begins, begins.dropFirst() + [end]).map { $0..<$1 }
  }

  // MARK: Ogg

  /// Reads the headers of all Ogg pages. A page that begins a stream after others were read begins a
  /// link of a chain.
  ///
  /// - Source: RFC 3533, sections 4 and 6.
  private mutating func readOgg() {
    var (position, flags, begins) = (0, UInt8(0), [0])
    var isInHeaders = true
    while let page = bytes.oggPage(at: position) {
      flags = page.flags
      if position == 0 { foreignCodec = Self.foreignOggCodec(bytes.read(16, at: page.body)) }
      let isFirstOfStream = flags & 2 != 0
      if isFirstOfStream, !isInHeaders { begins.append(position) }
      isInHeaders = isFirstOfStream
      position = page.end
    }
    divide(at: begins, end: byteCount)
    if flags & 4 == 0 {
      cut =
        position >= byteCount
        ? "its last page is missing" : "its pages break off at byte \(position)"
    }
  }

  /// - Source: the first packets of the codecs' mappings to Ogg (wiki.xiph.org/MIMETypesCodecs).
  private static func foreignOggCodec(_ packet: [UInt8]) -> String? {
    let codecs = [
      ("\u{7F}FLAC", "FLAC in Ogg"), ("Speex", "Speex"), ("\u{80}theora", "Theora video"),
      ("fishead", "Ogg Skeleton"), ("CELT", "CELT"),
    ]
    return codecs.first { packet.starts(with: $0.0.unicodeScalars.map { UInt8($0.value) }) }?.1
  }

  /// Names a format that libsndfile does not read, by its first bytes.
  private static func foreignFormat(_ signature: [UInt8]) -> String? {
    func has(_ bytes: [UInt8], at start: Int = 0) -> Bool {
      signature.dropFirst(start).starts(with: bytes)
    }
    let names: [([UInt8], Int, String)] = [
      (Array("ftyp".utf8), 4, "MPEG-4 or QuickTime (M4A, MP4, MOV)"),
      (Array("moov".utf8), 4, "QuickTime (MOV)"), (Array("mdat".utf8), 4, "QuickTime (MOV)"),
      ([0x1A, 0x45, 0xDF, 0xA3], 0, "Matroska or WebM"),
      ([0x30, 0x26, 0xB2, 0x75], 0, "Windows Media (WMA)"), (Array("#!AMR".utf8), 0, "AMR"),
      (Array("wvpk".utf8), 0, "WavPack"), (Array("MAC ".utf8), 0, "Monkey's Audio"),
      (Array("TTA1".utf8), 0, "True Audio"), (Array("ADIF".utf8), 0, "AAC"),
      ([0x0B, 0x77], 0, "AC-3"), (Array("NIST_1A".utf8), 0, "NIST SPHERE"),
      (Array("Creative Voice".utf8), 0, "Creative Voice (VOC)"),
    ]
    if signature.count > 1, signature[0] == 0xFF, signature[1] & 0xF6 == 0xF0 { return "AAC" }
    return names.first { has($0.0, at: $0.1) }?.2
  }
}

/// A signed number of up to 8 bytes, most significant first.
private func number(_ bytes: some Sequence<UInt8>) -> Int {
  bytes.reduce(0) { $0 << 8 | Int($1) }
}

/// The low `count` bytes of a number, least significant first.
private func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

struct PositionedBytes {
  /// A Xing or Info header of MP3.
  struct XingHeader {
    /// End of the sound that it describes; `nil` if it does not say.
    var end: Int?
  }

  let descriptor: Int32
  let count: Int

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads up to `length` bytes from `position`; fewer at the end of the file or after an error.
  func read(_ length: Int, at position: Int) -> [UInt8] {
    guard position >= 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, length, off_t(position)))
    }
  }

  /// Returns the name and length of a chunk of RIFF or AIFF, or of CAF with `lengthBytes` 8; `nil` at
  /// the end of the file.
  func chunk(
    at position: Int, _ isLittleEndian: Bool, lengthBytes: Int = 4
  ) -> (name: [UInt8], length: Int)? {
    let header = read(4 + lengthBytes, at: position)
    guard header.count == 4 + lengthBytes else { return nil }
    return (
      Array(header[..<4]), number(isLittleEndian ? header[4...].reversed() : Array(header[4...]))
    )
  }

  /// True if chunks with printable names fill the file from `position` to its end.
  func areChunks(from position: Int, _ isLittleEndian: Bool, lengthBytes: Int = 4) -> Bool {
    var position = position
    while let (name, length) = chunk(at: position, isLittleEndian, lengthBytes: lengthBytes) {
      position += 4 + lengthBytes
      guard name.allSatisfy({ 0x20...0x7E ~= $0 }), 0...max(0, count - position) ~= length else {
        return false
      }
      position += length + (lengthBytes == 4 ? length % 2 : 0)
    }
    return position >= count
  }

  /// Finds a chunk of a W64 file. Chunks have a name of 16 bytes and a little-endian length of 8,
  /// which includes both; they begin at multiples of 8.
  func chunkOfW64(_ name: String) -> (position: Int, length: Int)? {
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

  /// Reads the header of an Ogg page: 27 bytes, and one for the length of each segment. `nil` if the
  /// file has no whole page there.
  func oggPage(at position: Int) -> (flags: UInt8, body: Int, end: Int)? {
    let header = read(27 + 255, at: position)
    guard header.count >= 27, header.starts(with: "OggS".utf8) else { return nil }
    let body = 27 + Int(header[26])
    guard header.count >= body else { return nil }
    let end = position + body + header[27..<body].reduce(0) { $0 + Int($1) }
    return end <= count ? (header[5], position + body, end) : nil
  }

  /// The end of the file before any ID3v1 and APEv2 tags, which decoders take for damage.
  ///
  /// - Source: id3.org/ID3v1; wiki.hydrogenaudio, APEv2 specification.
  var endWithoutTags: Int {
    var end = count
    while true {
      let footer = read(32, at: end - 32)
      if read(3, at: end - 128) == Array("TAG".utf8) {
        end -= 128
      } else if footer.count == 32, footer.starts(with: "APETAGEX".utf8) {
        let hasHeader = footer[23] & 0x80 != 0
        let length = number(footer[12..<16].reversed()) + (hasHeader ? 32 : 0)
        guard 32...end ~= length else { return end }
        end -= length
      } else {
        return end
      }
    }
  }

  /// The end of an ID3v2 tag at `position`, whose length is in 7-bit bytes; `position` without one.
  func endOfID3(at position: Int) -> Int {
    let head = read(10, at: position)
    guard head.count == 10, head.starts(with: "ID3".utf8) else { return position }
    return position + 10 + head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// Reads the Xing header of the first MPEG frame, after any ID3v2 tag.
  /// The end is known if the header counts the bytes from the start of its frame.
  ///
  /// - Returns: `nil` without such a header.
  func xingHeader(after position: Int) -> XingHeader? {
    let start = endOfID3(at: position)
    let frame = read(64, at: start)
    guard
      let mark = frame.indices.first(where: { i in
        frame[i...].starts(with: "Xing".utf8) || frame[i...].starts(with: "Info".utf8)
      })
    else { return nil }
    let fields = read(16, at: start + mark)
    // Bit 0 announces a count of frames, bit 1 one of bytes.
    guard fields.count == 16, fields[7] & 2 != 0 else { return XingHeader() }
    let place = fields[7] & 1 != 0 ? 12 : 8
    return XingHeader(end: start + number(fields[place..<place + 4]))
  }

  /// Position of the first MPEG frame or ID3v2 tag at or after `position`, past a tag of ID3v1.
  func firstMPEGFrame(within length: Int, of position: Int) -> Int? {
    let bytes = read(length + 4, at: position)
    return bytes.indices.dropLast(4).first { i in
      bytes[i...].starts(with: "ID3".utf8)
        || AudioFormat(signature: Array(bytes[i..<i + 4])) == .mp3
    }.map { position + $0 }
  }
}
