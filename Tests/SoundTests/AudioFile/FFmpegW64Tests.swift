import AudioFile
import Foundation
import TestSupport
import Testing

/// W64 files as ffmpeg writes them: floats with an extensible format chunk.
@Suite struct FFmpegW64Tests {
  private static let hasFFmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// Codecs, and the largest step of rounding.
  private static let codecs: [(String, Float)] = [
    ("pcm_f32le", 0), ("pcm_s32le", 0x1p-31), ("pcm_s16le", 0x1p-15),
  ]

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: codecs)
  func samplesAreKept(codec: String, step: Float) throws {
    let folder = try TemporaryFolder()
    let sent = sweep(seconds: 0.5)
    try AudioFile(channels: [sent], sampleRateHz: 48_000)
      .write(to: folder.path("a.wav"), encoding: .wav(.float32))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "quiet", "-i", folder.path("a.wav"), "-c:a", codec, folder.path("a.w64"),
    ]
    try process.run()
    process.waitUntilExit()
    let file = try AudioFile(reading: folder.path("a.w64"))
    #expect(file.frameCount == sent.count)
    let error = zip(file.channels[0], sent).map { abs($0 - $1) }.max() ?? 1
    #expect(error <= step)
  }
}
