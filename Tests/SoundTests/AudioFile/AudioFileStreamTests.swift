import DSP
import Foundation
import TestSupport
import Testing

@testable import AudioFile

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
    }
    #expect(folder.contents.isEmpty)
  }

  /// A file of 5 GiB, most of it a hole that needs no space on the disk: its header has the lengths in
  /// 64 bits, as EBU Tech 3306 lays them out.
  @Test func aRecordingBeyondFourGibibytesBecomesRF64() throws {
    let folder = try TemporaryFolder()
    let stream = try AudioFileStream(
      to: folder.path("take.wav"), channelCount: 1, sampleRateHz: 48_000)
    try stream.write(interleaved: [0.5, -0.5])
    let hidden = folder.path(try #require(folder.contents.first))
    let size = 5 << 30
    #expect(truncate(hidden, off_t(size)) == 0)
    try stream.finish()
    let file = try #require(FileHandle(forReadingAtPath: folder.path("take.wav")))
    let header = [UInt8](try #require(try file.read(upToCount: 40)))
    func text(_ place: Int) -> String { String(decoding: header[place..<place + 4], as: UTF8.self) }
    func number(_ place: Int, _ count: Int) -> Int {
      header[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(text(0) == "RF64" && number(4, 4) == 0xFFFF_FFFF && text(8) == "WAVE")
    #expect(text(12) == "ds64" && number(20, 8) == size - 8)
    // Two frames of four bytes were written.
    #expect(number(28, 8) == 8 && number(36, 4) == 2)
  }

  /// Shorter recordings are plain WAV files.
  @Test func aShortRecordingIsRIFF() throws {
    let folder = try TemporaryFolder()
    let stream = try AudioFileStream(
      to: folder.path("take.wav"), channelCount: 2, sampleRateHz: 48_000)
    try stream.write(interleaved: [0.5, -0.5])
    try stream.finish()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("take.wav"))))
    #expect(bytes.starts(with: "RIFF".utf8))
    #expect(bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == bytes.count - 8)
    #expect(try AudioFile(reading: folder.path("take.wav")).channels == [[0.5], [-0.5]])
  }

  /// A disk that has room for 300,000 bytes. What overwrites earlier bytes needs none.
  private final class SmallDisk: FileSink {
    override func put(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
      let room = max(300_000, Int(length())) - Int(seek(0, SEEK_CUR))
      if room <= 0 { errno = ENOSPC }
      return room > 0 ? super.put(bytes, min(count, room)) : -1
    }
  }

  @Test(arguments: ["wav", "aiff", "au", "caf", "w64", "flac"])
  func aFullDiskKeepsWhatWasRecorded(ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.\(ending)")
    let stream = try AudioFileStream(
      to: path, channelCount: 2, sampleRateHz: 48_000, through: SmallDisk.init(recordingTo:))
    var noise = SeededGenerator(seed: 1)
    var sung: [Float] = []
    #expect(throws: AudioFileError.endedEarly(path, reason: String(cString: strerror(ENOSPC)))) {
      for _ in 0..<100 {
        let more = (0..<5000).map { _ in Float(noise.uniform() - 0.5) }
        sung += more
        try stream.write(interleaved: more)
      }
    }
    try stream.write(interleaved: [0.5, 0.5])
    try stream.finish()
    let kept = try AudioFile(reading: path)
    // The encoder of FLAC holds up to two blocks of 4096 back.
    #expect(kept.frameCount <= stream.frameCount)
    #expect(kept.frameCount >= stream.frameCount - (ending == "flac" ? 8192 : 0))
    #expect(kept.frameCount > 30_000)
    let left = stride(from: 0, to: sung.count, by: 2).prefix(kept.frameCount).map { sung[$0] }
    // 24 bits round to 2^-24.
    #expect(zip(kept.channels[0], left).allSatisfy { abs($0 - $1) <= 0x1p-24 })
  }

  /// AIFF counts its bytes in 32 bits: 2^30 samples of 4 bytes are too many.
  @Test func aFormatThatCannotCountFurtherEndsInTime() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.aiff")
    let stream = try AudioFileStream(
      to: path, channelCount: 1, sampleRateHz: 48_000, encoding: .aiff(.float32))
    let kept = [Float](repeating: 0.5, count: 100)
    try stream.write(interleaved: kept)
    stream.frameCount += 1 << 30
    #expect(throws: AudioFileError.tooLong(path, format: .aiff)) {
      try stream.write(interleaved: [0.25])
    }
    try stream.finish()
    let channels = try AudioFile(reading: path).channels
    #expect(channels == [kept])
  }

  /// The folder goes away while the sound is recorded.
  @Test func aTargetThatIsInTheWayLosesNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.wav")
    let stream = try AudioFileStream(to: path, channelCount: 1, sampleRateHz: 48_000)
    try stream.write(interleaved: [0.5])
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: AudioFileError.self) { try stream.finish() }
    guard case .notMoved(_, _, let kept) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try FileManager.default.moveItem(atPath: kept, toPath: folder.path("kept.wav"))
    #expect(try AudioFile(reading: folder.path("kept.wav")).channels == [[0.5]])
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
