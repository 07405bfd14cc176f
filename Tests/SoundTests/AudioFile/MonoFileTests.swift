import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct MonoFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var stereo: AudioFile {
    var random = SeededGenerator(seed: 4)
    func channel() -> [Float] { (0..<40_000).map { _ in Float(random.uniform() - 0.5) } }
    return AudioFile(channels: [channel(), channel()], sampleRateHz: 16_000)
  }

  /// Ranges read forwards, overlapping, backwards and all at once equal the decoded whole.
  @Test(arguments: ["wav", "flac", "ogg", "mp3"])
  func rangesAreThoseOfTheWhole(ending: String) throws {
    let path = folder.path("a.\(ending)")
    try Self.stereo.write(to: path)
    let whole = try AudioFile(reading: path).mono
    let file = try MonoFile(opening: path)
    #expect(file.count == whole.count && file.sampleRateHz == 16_000)
    for range in [0..<10, 5_000..<9_000, 8_000..<30_000, 39_000..<40_000, 100..<200, 0..<40_000] {
      #expect(try file.samples(range) == Array(whole.samples[range]), "\(range)")
    }
  }

  @Test func oneChannelIsReadAlone() throws {
    let path = folder.path("a.wav")
    try Self.stereo.write(to: path)
    let whole = try AudioFile(reading: path)
    for channel in 0...1 {
      let file = try MonoFile(opening: path, channel: channel)
      #expect(file.channelCount == 2)
      #expect(try file.samples(0..<file.count) == whole.channels[channel])
    }
  }

  @Test func aTruncatedFileThrows() throws {
    try Self.stereo.write(to: folder.path("a.flac"))
    let bytes = try folder.bytes("a.flac")
    let path = try folder.file("a.flac", Array(bytes.prefix(bytes.count / 2)))
    #expect(throws: AudioFileError.self) {
      let file = try MonoFile(opening: path)
      _ = try file.samples(0..<file.count)
    }
  }
}
