import AudioFile
import Foundation
import TestSupport
import Testing

/// Tests of formats that ffmpeg decodes.
@Suite struct ForeignFormatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let hasFFmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// Encodes the sweep with ffmpeg.
  private func encoded(_ name: String, _ options: [String] = []) throws -> String {
    let samples = sweep(seconds: 2, rateHz: 44_100)
    try AudioFile(channels: [samples], sampleRateHz: 44_100).write(to: folder.path("sweep.wav"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "ffmpeg", "-v", "quiet", "-y", "-i", folder.path("sweep.wav"), "-b:a", "128k",
      ]
      + (options.contains("-c:a") ? options : options + ["-c:a", "aac"]) + [folder.path(name)]
    try process.run()
    process.waitUntilExit()
    return folder.path(name)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: ["a.m4a", "a.aac"])
  func soundSurvivesEncoding(name: String) throws {
    let path = try encoded(name)
    let file = try AudioFile(reading: path)
    let sent = sweep(seconds: 2, rateHz: 44_100)
    #expect(try AudioFileInfo(probing: path).format == .foreign)
    #expect(file.sampleRateHz == 44_100 && file.channels.count == 1)
    // Frames of 1024 samples: padding of the last frame remains, and in a bare stream that of the
    // first two.
    #expect((sent.count...sent.count + 3 * 1024).contains(file.frameCount))
    let delay = name.hasSuffix("m4a") ? 0 : 1024
    let error = rms(zip(sent, file.channels[0].dropFirst(delay)).map { $0 - $1 })
    // The loudest noise that a tone masks is 14.5 dB below it (Johnston 1988).
    #expect(20 * log10(error / rms(sent)) < -14.5)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: [30, 60, 95])
  func aTruncatedFileIsNeverTakenForWhole(percent: Int) throws {
    for options in [[], ["-movflags", "faststart"]] {
      _ = try encoded("a.m4a", options)
      let bytes = try folder.bytes("a.m4a")
      let cut = try folder.file("cut.m4a", Array(bytes.prefix(bytes.count * percent / 100)))
      let error = #expect(throws: AudioFileError.self) { try AudioFile(reading: cut) }
      guard case .damaged(cut, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  /// Lossless codecs in containers that libsndfile does not read, and W64 with ffmpeg's extensible
  /// format chunk: the samples are those that went in, up to a step of rounding, with dither.
  @Test(
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"),
    arguments: [
      ("a.ogg", "flac", 0x1p-15), ("a.mov", "pcm_s16le", 0x1p-15), ("a.m4a", "alac", 0x1p-15),
      ("a.mka", "pcm_s16le", 0x1p-15), ("a.caf", "alac", 0x1p-15), ("a.wv", "wavpack", 0x1p-15),
      ("a.voc", "pcm_s16le", 0x1p-15), ("a.w64", "pcm_f32le", 0), ("a.w64", "pcm_s32le", 0x1p-31),
      ("a.w64", "pcm_s16le", 0x1p-15),
    ] as [(String, String, Float)])
  func losslessSoundIsKept(name: String, codec: String, step: Float) throws {
    let path = try encoded(name, ["-c:a", codec])
    let file = try AudioFile(reading: path)
    let error = zip(file.channels[0], sweep(seconds: 2, rateHz: 44_100)).map { abs($0 - $1) }.max()
    #expect(file.frameCount == 88_200 && file.sampleRateHz == 44_100)
    #expect(error ?? 1 <= step)
    let mono = try MonoFile(opening: path)
    #expect(try mono.samples(0..<88_200) == file.channels[0])
    #expect(try mono.samples(0..<10) == Array(file.channels[0].prefix(10)))
  }

  /// MP3 in WAV, whose own count of frames may be larger by up to one of MPEG.
  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func mp3InWAVIsRead() throws {
    let path = try encoded("a.wav", ["-c:a", "libmp3lame"])
    let count = try AudioFile(reading: path).frameCount
    #expect((88_200 - 1152...88_200 + 3 * 1152).contains(count))
    #expect(try MonoFile(opening: path).count == count)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func theTrueFormatIsNamed() throws {
    _ = try encoded("a.mov", ["-c:a", "pcm_s16le"])
    let wrong = try folder.file("a.wav", folder.bytes("a.mov"))
    let content = "MPEG-4 or QuickTime (M4A, MP4, MOV)"
    #expect(throws: AudioFileError.foreignContent(wrong, content: content)) {
      try AudioFile(reading: wrong)
    }
  }

  /// A playlist names other files, which must not be read.
  @Test func aPlaylistIsNotRecognised() throws {
    _ = try folder.file("a.aac", [0xFF, 0xF1, 0, 0])
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.aac\n#EXT-X-ENDLIST\n"
    let path = try folder.file("a.m3u8", Array(text.utf8))
    #expect(throws: AudioFileError.notRecognised(path)) { try AudioFile(reading: path) }
  }

  /// A file that only begins like AAC gives an error with a remedy.
  @Test func anInvalidFileWithAValidSignatureIsDamaged() throws {
    let path = try folder.file("a.m4a", [0, 0, 0, 0x1C] + Array("ftypM4A nothing more".utf8))
    let error = #expect(throws: AudioFileError.self) { try AudioFile(reading: path) }
    #expect(error?.description.contains(Self.hasFFmpeg ? "ffmpeg says" : "install it") == true)
  }

  @Test func aacIsNotWritten() {
    let file = AudioFile(channels: [[0, 0.5]], sampleRateHz: 48_000)
    let path = folder.path("a.m4a")
    #expect(throws: AudioFileError.unsupportedEncoding(path, nil)) { try file.write(to: path) }
    #expect(folder.contents == [])
  }
}
