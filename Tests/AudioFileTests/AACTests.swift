import AudioFile
import Foundation
import TestSupport
import Testing

/// Tests of AAC, which ffmpeg decodes.
@Suite struct AACTests {
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
        "ffmpeg", "-v", "quiet", "-y", "-i", folder.path("sweep.wav"), "-c:a", "aac", "-b:a",
        "128k",
      ]
      + options + [folder.path(name)]
    try process.run()
    process.waitUntilExit()
    return folder.path(name)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"), arguments: ["a.m4a", "a.aac"])
  func soundSurvivesEncoding(name: String) throws {
    let path = try encoded(name)
    let file = try AudioFile(reading: path)
    let sent = sweep(seconds: 2, rateHz: 44_100)
    #expect(try AudioFileInfo(probing: path).format == .aac)
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
