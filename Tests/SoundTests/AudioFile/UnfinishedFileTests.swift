import AudioFile
import Foundation
import TestSupport
import Testing

/// Files that are whole but unusual: headers that a crashed recorder left, other names of WAV, tags,
/// and several streams one after the other. Expected samples follow from how each file was made.
@Suite struct UnfinishedFileTests {
  private let folder: TemporaryFolder
  private let samples: [Float] = [0.5, -0.25, 0.125]
  private let data = [16_384, -8192, 4096].flatMap { little($0, 2) }

  init() throws { folder = try TemporaryFolder() }

  private func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  /// Expects the three samples, and a remark if the header is unfinished.
  private func expectSamples(_ name: String, _ bytes: [UInt8], remarks: Int) throws {
    let path = try folder.file(name, bytes)
    let file = try AudioFile(reading: path)
    #expect(file.channels == [samples])
    #expect(file.remarks.count == remarks)
    #expect(try AudioFileInfo(probing: path).frameCount == 3)
    #expect(try MonoFile(opening: path).remarks == file.remarks)
  }

  @Test(arguments: [0, 36, 42], [0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
  func aWAVWithoutALengthIsReadToItsEnd(riffLength: Int, announced: Int) throws {
    var wave = handmadeWave(bits: 16, data: data, announcing: announced)
    wave.replaceSubrange(4..<8, with: little(riffLength, 4))
    try expectSamples("a.wav", wave, remarks: 1)
  }

  /// A true length of 0, with a chunk of text behind the sound.
  @Test func aWAVWithTextAndNoSoundHasNoFrames() throws {
    let wave =
      handmadeWave(bits: 16, data: []) + Array("LIST".utf8) + little(4, 4) + Array("INFO".utf8)
    let path = try folder.file("a.wav", wave)
    #expect(throws: AudioFileError.noFrames(path)) { try AudioFile(reading: path) }
  }

  /// A length of 32 bits describes at most 4 GiB, RF64's 64 bits all. The sound is zeros that take no
  /// space.
  @Test func anUnfinishedFileOfMoreThan4GiBIsRead() throws {
    for (isLong, frames) in [(true, 3_000_000_003), (false, 0xFFFF_FFFF / 2)] {
      let header =
        isLong ? longWave("RF64", length: 0) : handmadeWave(bits: 16, data: data, announcing: 0)
      let path = try folder.file("a.wav", header)
      let file = try FileHandle(forWritingTo: folder.file("a.wav"))
      try file.truncate(atOffset: UInt64(header.count) + 6_000_000_000)
      let info = try AudioFileInfo(probing: path)
      #expect(info.frameCount == frames)
      #expect(info.remarks.count == 1 && info.remarks[0].contains("4 GiB") == !isLong)
    }
  }

  /// A killed recorder leaves what it has written so far. libsndfile reads W64 to its end.
  @Test(arguments: [
    AudioEncoding.wav(.int16), .wav(.float32), .aiff(.int24), .caf(.float32), .au(.float32),
    .w64(.float32),
  ])
  func aRecordingInProgressIsReadToItsEnd(encoding: AudioEncoding) throws {
    let recording = try AudioFileStream(
      to: folder.path(encoding.fileName), channelCount: 1, sampleRateHz: 48_000,
      encoding: encoding)
    for _ in 0..<1000 { try recording.write(interleaved: samples) }
    let hidden = try #require(folder.contents.first)
    let left = try folder.file("left.\(encoding.fileName)", folder.bytes(hidden))
    let file = try AudioFile(reading: left)
    #expect(file.channels[0] == (0..<1000).flatMap { _ in samples })
    #expect(file.remarks.count == (encoding.format == .w64 ? 0 : 1))
    try recording.finish()
  }

  @Test(arguments: [0, 8, 0xFFFF_FFFF])
  func anAIFFWithoutALengthIsReadToItsEnd(announced: Int) throws {
    var aiff = Array(handmadeAIFF(rate: [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]).prefix(38))
    aiff += Array("SSND".utf8) + big(announced, 4) + big(0, 8)
    aiff += [16_384, -8192, 4096].flatMap { big($0, 2) }
    try expectSamples("a.aiff", aiff, remarks: 1)
  }

  @Test(arguments: [(0, 1), (0xFFFF_FFFF, 0)])
  func anAUWithoutALengthIsReadToItsEnd(announced: Int, remarks: Int) throws {
    let header = Array(".snd".utf8) + big(24, 4) + big(announced, 4) + big(3, 4) + big(48_000, 4)
    try expectSamples(
      "a.au", header + big(1, 4) + [16_384, -8192, 4096].flatMap { big($0, 2) }, remarks: remarks)
  }

  /// Apple's description of CAF allows a length of −1 for the last chunk. A length of 4 is that of the
  /// count of edits alone.
  @Test(arguments: [(-1, 0), (4, 1)])
  func aCAFOfUnknownLengthIsReadToItsEnd(announced: Int, remarks: Int) throws {
    var caf = Array("caff".utf8) + big(1, 2) + big(0, 2) + Array("desc".utf8) + big(32, 8)
    caf +=
      big(Int((48_000.0).bitPattern), 8) + Array("lpcm".utf8) + big(0, 4) + big(2, 4) + big(1, 4)
    caf += big(1, 4) + big(16, 4) + Array("data".utf8) + big(announced, 8) + big(0, 4)
    try expectSamples(
      "a.caf", caf + [16_384, -8192, 4096].flatMap { big($0, 2) }, remarks: remarks)
  }

  /// ffmpeg, which writes to a pipe, announces the longest length that there is.
  @Test func aW64FromAPipeIsReadToItsEnd() throws {
    var w64 = Array(handmadeExtensibleW64(code: 1, bits: 16, data: data).dropLast(2))  // padding
    w64.replaceSubrange(w64.count - 14..<w64.count - 6, with: little(Int.max, 8))
    try expectSamples("a.w64", w64, remarks: 1)
  }

  /// The length of ID3v2 is in bytes of 7 bits: 1000 is 7 · 128 + 104 (id3.org, id3v2.4.0-structure).
  @Test(arguments: [AudioEncoding.wav(.int16), .aiff(.int16), .flac(.int16)])
  func soundBehindATagIsRead(encoding: AudioEncoding) throws {
    try AudioFile(channels: [samples], sampleRateHz: 48_000)
      .write(to: folder.path(encoding.fileName), encoding: encoding)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 7, 104] + [UInt8](repeating: 0, count: 1000)
    let sound = try folder.bytes(encoding.fileName)
    try expectSamples("tagged.\(encoding.fileName)", tag + sound, remarks: 0)
  }

  /// The long lengths of RF64 and BW64 stand in a chunk of their own (ITU-R BS.2088).
  private func longWave(_ name: String, length: Int) -> [UInt8] {
    let wave = handmadeWave(bits: 16, data: data, announcing: 0xFFFF_FFFF)
    let long = Array("ds64".utf8) + little(28, 4) + little(72, 8) + little(length, 8)
    return Array(name.utf8) + little(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + long
      + little(3, 8) + little(0, 4) + wave[12...]
  }

  @Test(arguments: ["RF64", "BW64"], [(6, 0), (0, 1)])
  func longWAVsAreRead(name: String, length: (Int, remarks: Int)) throws {
    try expectSamples("a.wav", longWave(name, length: length.0), remarks: length.remarks)
  }

  @Test(arguments: ["RF64", "BW64"])
  func aLongWAVThatWasCutIsTruncated(name: String) throws {
    let path = try folder.file("a.wav", longWave(name, length: 16))
    let error = AudioFileError.truncated(path, detail: "its header announces 10 bytes more")
    #expect(throws: error) { try AudioFile(reading: path) }
  }

  /// A header that a recorder renews every few seconds, and that misses the last of them.
  @Test func soundBehindTheAnnouncedEndIsRemarked() throws {
    let wave = handmadeWave(bits: 16, data: data) + [UInt8](repeating: 3, count: 10_000)
    let file = try AudioFile(reading: folder.file("a.wav", wave))
    #expect(file.channels == [samples])
    #expect(file.remarks == ["the last 10000 bytes belong to no chunk and are not read"])
  }

  /// ID3v1 is "TAG" and 125 bytes; APEv2 ends with 32 bytes that give its length.
  @Test func tagsBehindAFLACAreNoDamage() throws {
    try AudioFile(channels: [samples], sampleRateHz: 48_000).write(to: folder.path("a.flac"))
    let flac = try folder.bytes("a.flac")
    let id3 = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    let ape = ape("Title", [65])
    for tags in [id3, ape, ape + id3] { try expectSamples("tagged.flac", flac + tags, remarks: 0) }
  }

  /// A tag of APEv2 with one item.
  private func ape(_ key: String, _ value: [UInt8]) -> [UInt8] {
    let item = little(value.count, 4) + little(0, 4) + Array(key.utf8) + [0] + value
    let size = little(2000, 4) + little(item.count + 32, 4) + little(1, 4)
    return Array("APETAGEX".utf8) + size + little(0xA000_0000, 4) + little(0, 8) + item
      + Array("APETAGEX".utf8) + size + little(0x8000_0000, 4) + little(0, 8)
  }

  /// The first bytes of a JPEG resemble a frame of MPEG.
  @Test func aCoverBehindAnMP3IsNoSound() throws {
    try AudioFile(channels: [sweep(seconds: 0.5)], sampleRateHz: 48_000)
      .write(to: folder.path("a.mp3"))
    let cover = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 20_000)
    let tagged = try folder.file(
      "tagged.mp3", folder.bytes("a.mp3") + ape("Cover Art (Front)", cover))
    #expect(try AudioFile(reading: tagged) == AudioFile(reading: folder.path("a.mp3")))
  }

  /// MP3 files that were joined, with and without a tag of ID3v1 between them.
  @Test(arguments: [AudioEncoding.vorbis(quality: 0.7), .opus(quality: 0.7), .mp3(quality: 0.7)])
  func allLinksOfAChainAreRead(encoding: AudioEncoding) throws {
    var (bytes, channels): ([UInt8], [Float]) = ([], [])
    for link in 0..<3 {
      let part = sweep(seconds: 1 + 0.1 * Double(link))
      bytes += try folder.bytes(of: part, in: encoding.fileName)
      if link == 1, encoding.format == .mp3 {
        bytes += Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
      }
      channels += try AudioFile(reading: folder.path(encoding.fileName)).channels[0]
    }
    let path = try folder.file("chain.\(encoding.fileName)", bytes)
    #expect(try AudioFile(reading: path).channels == [channels])
    #expect(try AudioFileInfo(probing: path).frameCount == channels.count)
    let mono = try MonoFile(opening: path)
    #expect(try mono.samples(0..<channels.count) == channels)
    #expect(try mono.samples(0..<100) == Array(channels.prefix(100)))
    #expect(throws: AudioFileError.self) {
      try AudioFile(reading: folder.file("cut.\(encoding.fileName)", Array(bytes.dropLast(4000))))
    }
  }

  @Test func aChainOfTwoRatesIsRefused() throws {
    var bytes: [UInt8] = []
    for rateHz in [44_100.0, 48_000] {
      try AudioFile(channels: [sweep(seconds: 0.3)], sampleRateHz: rateHz)
        .write(to: folder.path("a.ogg"))
      bytes += try folder.bytes("a.ogg")
    }
    let path = try folder.file("chain.ogg", bytes)
    let content = "streams of different sample rates or channels, one after the other"
    #expect(throws: AudioFileError.notDecodable(path, content: content)) {
      try AudioFile(reading: path)
    }
  }
}
