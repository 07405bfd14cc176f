import AudioFile
import Foundation
import TestSupport
import Testing

@Suite struct AudioFileStreamTests {
  /// Frames written in pieces are those of the file; what is louder than full scale is cut there.
  @Test func piecesMakeOneFile() throws {
    let folder = try TemporaryFolder()
    let stream = try AudioFileStream(
      to: folder.path("take.wav"), channelCount: 2, sampleRateHz: 48_000, encoding: .wav(.int16))
    try stream.write(interleaved: [0.5, -0.5, 0.25, 2])
    try stream.write(interleaved: [.nan, 0.125])
    #expect(!FileManager.default.fileExists(atPath: folder.path("take.wav")))
    #expect(try stream.finish() == 1)
    let sound = try AudioFile(reading: folder.path("take.wav"))
    #expect(sound.channels == [[0.5, 0.25, 0], [-0.5, 32_767.0 / 32_768, 0.125]])
    #expect(folder.contents == ["take.wav"])
  }

  @Test func anUnfinishedFileIsRemoved() throws {
    let folder = try TemporaryFolder()
    do {
      let stream = try AudioFileStream(
        to: folder.path("take.flac"), channelCount: 1, sampleRateHz: 48_000)
      try stream.write(interleaved: [0.5])
      #expect(folder.contents.count == 1)
    }
    #expect(folder.contents.isEmpty)
  }

  @Test func silenceOfNoLengthIsNoFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.flac")
    let stream = try AudioFileStream(to: path, channelCount: 1, sampleRateHz: 48_000)
    #expect(throws: AudioFileError.noFrames(path)) { try stream.finish() }
  }

  @Test func badNamesAndRatesAreRefusedBeforeAnySound() throws {
    let folder = try TemporaryFolder()
    #expect(throws: AudioFileError.unknownExtension(folder.path("take.xyz"), content: nil)) {
      try AudioFileStream(to: folder.path("take.xyz"), channelCount: 1, sampleRateHz: 48_000)
    }
    #expect(throws: AudioFileError.self) {
      try AudioFileStream(to: folder.path("take.mp3"), channelCount: 1, sampleRateHz: 96_000)
    }
    #expect(folder.contents.isEmpty)
  }
}
