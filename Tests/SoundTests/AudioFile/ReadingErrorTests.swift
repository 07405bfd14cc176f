import AudioFile
import Foundation
import TestSupport
import Testing

@Suite struct ReadingErrorTests {
  private let folder: TemporaryFolder
  private let voice = sweep(seconds: 3)

  init() throws { folder = try TemporaryFolder() }

  /// Expects that reading and probing `path` both give `error`, and that it names the file.
  private func expect(_ error: AudioFileError, reading path: String) {
    #expect(throws: error) { try AudioFile(reading: path) }
    #expect(throws: error) { try AudioFileInfo(probing: path) }
    #expect(error.description.contains(path))
  }

  @Test func missing() {
    let path = folder.path("none.wav")
    expect(.missing(path), reading: path)
  }

  @Test func folderInsteadOfFile() {
    let path = folder.path("")
    expect(.isDirectory(path), reading: path)
  }

  @Test func pipeInsteadOfFile() {
    let path = folder.path("pipe.wav")
    #expect(mkfifo(path, 0o600) == 0)
    let reason = "it is a device, pipe or socket, not a file"
    expect(.notReadable(path, reason: reason), reading: path)
  }

  @Test func linkToItself() {
    let path = folder.path("link.wav")
    #expect(symlink(path, path) == 0)
    expect(.notReadable(path, reason: "it is a link that leads back to itself"), reading: path)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func noPermission() throws {
    let path = try folder.file("mine.wav", [1])
    chmod(path, 0)
    expect(.notReadable(path, reason: String(cString: strerror(EACCES))), reading: path)
  }

  @Test func zeroBytes() throws {
    let path = try folder.file("empty.wav", [])
    expect(.empty(path), reading: path)
  }

  @Test(arguments: ["text.wav", "text.mp3", "text.ogg", "text.txt"])
  func textIsNotSound(name: String) throws {
    let path = try folder.file(name, Array("Sah ein Knab' ein Röslein stehn\n".utf8))
    expect(.notRecognised(path), reading: path)
  }

  @Test func aValidSignatureWithAnInvalidHeader() throws {
    let path = try folder.file("a.wav", Array("RIFF....WAVEnothing of use".utf8))
    expect(.damaged(path, reason: "it begins like WAV, but its header is invalid"), reading: path)
  }

  @Test(arguments: everyEncoding)
  func anotherFormatsName(encoding: AudioEncoding) throws {
    let bytes = try folder.bytes(of: voice, in: encoding.fileName)
    let other = encoding.format == .wav ? "voice.flac" : "voice.wav"
    let wrong = try folder.file(other, bytes)
    expect(.wrongExtension(wrong, content: encoding.format), reading: wrong)
    for unknown in ["voice", "voice.sound"] {
      let path = try folder.file(unknown, bytes)
      expect(.unknownExtension(path, content: encoding.format), reading: path)
    }
  }

  @Test(arguments: everyEncoding, [5, 30, 60, 90, 95])
  func aTruncatedFileIsNeverTakenForWhole(encoding: AudioEncoding, percent: Int) throws {
    let bytes = try folder.bytes(of: voice, in: encoding.fileName)
    let path = try folder.file(
      "cut.\(encoding.fileName)", Array(bytes.prefix(bytes.count * percent / 100)))
    let error = #expect(throws: AudioFileError.self) { try AudioFile(reading: path) }
    switch error {
    case .truncated(path, _), .damaged(path, _): break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test(arguments: [
    AudioEncoding.wav(.float32), .flac(.int24), .aiff(.int24), .caf(.float32), .au(.int16),
    .w64(.float32), .vorbis(quality: 0.7), .opus(quality: 0.7),
  ])
  func oneByteMissingIsFound(encoding: AudioEncoding) throws {
    let bytes = try folder.bytes(of: voice, in: encoding.fileName)
    let path = try folder.file("cut.\(encoding.fileName)", bytes.dropLast())
    #expect(throws: AudioFileError.self) { try AudioFile(reading: path) }
  }

  @Test(arguments: [AudioEncoding.vorbis(quality: 0.7), .opus(quality: 0.7)])
  func anOggStreamCutBetweenPagesIsCutShort(encoding: AudioEncoding) throws {
    let bytes = try folder.bytes(of: voice, in: encoding.fileName)
    let mark = Array("OggS".utf8)
    let pages = bytes.indices.filter { bytes[$0...].starts(with: mark) }
    #expect(pages.count > 3)  // two of headers and at least two of sound
    for page in pages.dropFirst(3) {
      let path = try folder.file("cut.\(encoding.fileName)", Array(bytes[..<page]))
      expect(.truncated(path, detail: "its last page is missing"), reading: path)
    }
  }

  /// Silence is coded at one bit rate, which gives the length. Noise needs a higher one, and a
  /// length guessed from that is too short for the silence after it.
  @Test func anMP3WithoutAFrameCountIsReadWholeOrNotAtAll() throws {
    let steady = try writeMP3WithoutHeader("steady.mp3", [Float](repeating: 0, count: 96_000))
    // Nothing says what to trim: the padding of the last frame and the coder's delay remain, less
    // than three MPEG frames.
    let count = try AudioFile(reading: steady).frameCount
    #expect((96_000...96_000 + 3 * 1152).contains(count))

    let loud = noise(48_000) + [Float](repeating: 0, count: 480_000)
    let varying = try writeMP3WithoutHeader("varying.mp3", loud)
    let content = "MP3 of varying bit rate without a Xing header"
    #expect(throws: AudioFileError.notDecodable(varying, content: content)) {
      try AudioFile(reading: varying)
    }
  }

  /// An encoder that writes to a pipe can't fill in the count later, so it stays 0. The format
  /// stores the count in the low half of byte 21 and in bytes 22 to 25.
  @Test func aFLACWithoutAFrameCountIsReadWhole() throws {
    var bytes = try folder.bytes(of: voice, in: "a.flac")
    bytes[21] &= 0xF0
    for i in 22...25 { bytes[i] = 0 }
    let piped = try folder.file("piped.flac", bytes)
    #expect(try AudioFileInfo(probing: piped).frameCount == nil)
    #expect(try AudioFile(reading: piped) == AudioFile(reading: folder.path("a.flac")))
    let cut = try folder.file("cut.flac", Array(bytes.prefix(bytes.count / 2)))
    #expect(throws: AudioFileError.damaged(cut, reason: "flac decoder lost sync")) {
      try AudioFile(reading: cut)
    }
  }

  /// Cuts off the first MPEG frame, which holds the header; all frames begin with the same two
  /// bytes.
  private func writeMP3WithoutHeader(_ name: String, _ samples: [Float]) throws -> String {
    let bytes = try folder.bytes(of: samples, in: name)
    let second = try #require(
      bytes.indices.dropFirst(64).first { bytes[$0...].starts(with: bytes[..<2]) })
    return try folder.file(name, Array(bytes[second...]))
  }

  /// One flipped bit violates the checksums of FLAC frames and Ogg pages.
  @Test(arguments: [AudioEncoding.flac(.int24), .vorbis(quality: 0.7)])
  func aFlippedBitIsFound(encoding: AudioEncoding) throws {
    let whole = try folder.bytes(of: Array(voice.prefix(24_000)), in: encoding.fileName)
    for eighth in 1..<8 {
      var bytes = whole
      bytes[whole.count * eighth / 8] ^= 0x10
      let path = try folder.file("hurt.\(encoding.fileName)", bytes)
      #expect(throws: AudioFileError.self) { try AudioFile(reading: path) }
    }
  }

  @Test(arguments: everyEncoding)
  func damageGivesAnErrorOrASound(encoding: AudioEncoding) throws {
    let whole = try folder.bytes(of: Array(voice.prefix(12_000)), in: encoding.fileName)
    let places = noise(400, seed: 7).map { Int(($0 + 1) / 2 * Float(whole.count - 1)) }
    for trial in 0..<40 {
      var bytes = whole
      for place in places[(10 * trial)..<(10 * trial + 10)] { bytes[place] ^= 0x55 }
      let path = try folder.file("hurt.\(encoding.fileName)", bytes)
      do {
        let file = try AudioFile(reading: path)
        #expect(file.frameCount > 0 && file.channels.joined().allSatisfy(\.isFinite))
      } catch { #expect("\(error)".contains(path)) }
    }
  }
}
