import Foundation
import TestSupport
import Testing

@testable import AudioFile

@Suite struct WritingErrorTests {
  private let folder: TemporaryFolder
  private let voice = AudioFile(channels: [sweep(seconds: 0.5)], sampleRateHz: 48_000)

  init() throws { folder = try TemporaryFolder() }

  /// Expects that writing fails with `error`, which names the file, and leaves no file.
  private func expect(
    _ error: AudioFileError, writing file: AudioFile, to path: String,
    encoding: AudioEncoding? = nil
  ) {
    #expect(throws: error) { try file.write(to: path, encoding: encoding) }
    #expect(error.description.contains(path))
    #expect(folder.contents == [])
  }

  @Test func unknownEnding() {
    let path = folder.path("voice.xyz")
    expect(.unknownExtension(path, content: nil), writing: voice, to: path)
  }

  @Test func endingOfAnotherFormat() {
    let path = folder.path("voice.wav")
    expect(.wrongExtension(path, content: .flac), writing: voice, to: path, encoding: .flac(.int16))
  }

  @Test(arguments: [
    ("voice.flac", AudioEncoding.flac(.float32)), ("voice.ogg", .vorbis(quality: 1.5)),
    ("voice.opus", .opus(quality: .nan)),
  ])
  func unsupportedEncodingsThrow(name: String, encoding: AudioEncoding) throws {
    let path = folder.path(name)
    // NaN differs from itself, so the errors are compared as text.
    let error = #expect(throws: AudioFileError.self) {
      try voice.write(to: path, encoding: encoding)
    }
    #expect(error?.description == AudioFileError.unsupportedEncoding(path, encoding).description)
    #expect(folder.contents == [])
  }

  @Test(arguments: [
    ("a.opus", AudioFormat.opus, 44_100.0), ("a.mp3", .mp3, 96_000), ("a.flac", .flac, 700_000),
    ("a.ogg", .vorbis, 384_000), ("a.wav", .wav, 44_100.5),
  ])
  func unsupportedRatesThrow(name: String, format: AudioFormat, rateHz: Double) {
    let path = folder.path(name)
    let file = AudioFile(channels: voice.channels, sampleRateHz: rateHz)
    expect(.unsupportedRate(path, rateHz: rateHz, format: format), writing: file, to: path)
  }

  @Test(arguments: [("a.mp3", AudioFormat.mp3, 3), ("a.flac", .flac, 9), ("a.wav", .wav, 0)])
  func unsupportedChannelCountsThrow(name: String, format: AudioFormat, count: Int) {
    let path = folder.path(name)
    let file = AudioFile(channels: Array(repeating: [0, 0], count: count), sampleRateHz: 48_000)
    expect(
      .unsupportedChannelCount(path, channelCount: count, format: format), writing: file, to: path)
  }

  @Test func channelsOfDifferentLengths() {
    let path = folder.path("a.wav")
    let file = AudioFile(channels: [[0, 0, 0], [0, 0]], sampleRateHz: 48_000)
    expect(.channelsDiffer(path, frameCounts: [3, 2]), writing: file, to: path)
  }

  @Test func noFrames() {
    let path = folder.path("a.wav")
    expect(.noFrames(path), writing: AudioFile(channels: [[]], sampleRateHz: 8000), to: path)
  }

  @Test func notANumber() {
    let path = folder.path("a.wav")
    let file = AudioFile(channels: [[0, 0, 0], [0, .nan, 0]], sampleRateHz: 48_000)
    expect(.nonFinite(path, frame: 1, channel: 1), writing: file, to: path)
  }

  @Test func fourGibibytes() {
    // 2^30 float samples are exactly 4 GiB; the limit is 2^32 - 4096 bytes.
    #expect(!AudioEncoding.au(.float32).holds(frames: 1 << 30, channelCount: 1))
    #expect(!AudioEncoding.aiff(.int16).holds(frames: 1 << 30, channelCount: 2))
    #expect(AudioEncoding.aiff(.int16).holds(frames: 1 << 30, channelCount: 1))
    #expect(AudioEncoding.wav(.float32).holds(frames: 1 << 40, channelCount: 1))
    #expect(AudioEncoding.flac(.int24).holds(frames: 1 << 40, channelCount: 2))
  }

  @Test func noSuchFolder() {
    let path = folder.path("none/a.wav")
    expect(.writeRefused(path, reason: String(cString: strerror(ENOENT))), writing: voice, to: path)
  }

  @Test func folderInTheWay() throws {
    let path = folder.path("taken.wav")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(
      throws: AudioFileError.writeRefused(path, reason: String(cString: strerror(EISDIR)))
    ) { try voice.write(to: path) }
    #expect(folder.contents == ["taken.wav"])
  }

  @Test(arguments: everyEncoding)
  func fullDisk(encoding: AudioEncoding) throws {
    let path = folder.path(encoding.fileName)
    let reason = String(cString: strerror(ENOSPC))
    symlink("/dev/full", path)
    #expect(throws: AudioFileError.writeRefused(path, reason: reason)) {
      try voice.write(to: path, encoding: encoding)
    }
    #expect(folder.contents == [encoding.fileName])
  }

  /// A failed write leaves an existing file unchanged.
  @Test func theOldFileSurvives() throws {
    let path = folder.path("take.wav")
    try voice.write(to: path)
    let broken = AudioFile(channels: [[.nan]], sampleRateHz: 48_000)
    #expect(throws: AudioFileError.self) { try broken.write(to: path) }
    #expect(try AudioFile(reading: path) == voice)
    #expect(folder.contents == ["take.wav"])
  }
}
