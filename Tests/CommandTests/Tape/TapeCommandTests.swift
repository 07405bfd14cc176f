import AudioFile
import Foundation
import Platform
import Testing

/// `choir-eval tape`: its files, its exit codes, and the recordings that it refuses.
@Suite struct TapeCommandTests {
  /// A folder with a tape of two sounds.
  private let bench: GateTests.Bench

  init() throws {
    bench = try GateTests.Bench()
    let made = try bench.type([
      "tape", "make", "Corpus/plans/tiny.yaml", "--voices-only", "--output", "tape.wav",
    ])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("2 recordings, 4 marks"))
  }

  private func path(_ name: String) -> String { bench.folder.appendingPathComponent(name).path }

  /// Writes the tape's channel with changes of its copies as further channels.
  private func record(_ name: String, _ channels: ((Float) -> Float)...) throws {
    let tape = try AudioFile(reading: path("tape.wav"))
    try AudioFile(
      channels: channels.map { tape.channels[0].map($0) }, sampleRateHz: tape.sampleRateHz
    ).write(to: path(name))
  }

  private func words(_ errors: String) -> String {
    errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A wire is in tune at 0 semitones, at once and with nothing lost.
  @Test func aTapeIsCheckedFromItsRecording() throws {
    try record("recorded.wav", { 0.5 * $0 }, { $0 })
    let answer = try bench.type(["tape", "check", "recorded.wav", "--dry-channel", "2"])
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains("pitch error, median"))
    #expect(FileManager.default.fileExists(atPath: path("Reports/tape-recorded/page/index.html")))
    // The plan has one score, so it need not be named; the recording can be checked again.
    #expect(try bench.type(["tape", "check", "recorded.wav", "--dry-channel", "2"]).status == 0)
  }

  @Test func takesOfAFolderStayUnlessForced() throws {
    try record("one.wav", { $0 })
    let words = ["tape", "read", "tape.yaml", "one.wav", "--output", "takes", "--set", "gain=1"]
    #expect(try bench.type(words).status == 0)
    let again = try bench.type(words)
    #expect(again.status == 2 && again.errors.contains("has a take of this score"))
    #expect(try bench.type(words + ["--force"]).status == 0)
    try record("two.wav", { -$0 })
    let both = try bench.type(["tape", "read", "two.wav", "--output", "takes", "--set", "gain=2"])
    #expect(both.output.contains("with 2 takes") && both.output.contains("choir-eval tune"))
    let plan = try bench.read("takes/plan.yaml").filter { !$0.isWhitespace }
    #expect(plan.contains(#""gain":[1]"#) && plan.contains(#""gain":[2]"#))
  }

  @Test(arguments: [
    (["--channels", "stereo"], "has equal channels"), (["--channels", "3"], "--channels is 3"),
    (["--dry-channel", "3"], "--dry-channel is 3"),
  ])
  func channelsThatAreNotThereAreNamed(options: [String], problem: String) throws {
    try record("mono.wav", { $0 }, { $0 })
    let answer = try bench.type(["tape", "read", "mono.wav", "--output", "out"] + options)
    #expect(answer.status == 2 && words(answer.errors).contains(problem), "\(answer.errors)")
  }

  @Test func oneSideOfAStereoOutputIsNamed() throws {
    try record("side.wav", { $0 }, { _ in 0 })
    let side = try bench.type(
      ["tape", "read", "side.wav", "--output", "out", "--channels", "stereo"])
    #expect(side.status == 2 && words(side.errors).contains("is silent on channel 2"))
    try record("differ.wav", { $0 }, { 0.3 * $0 })
    let differ = try bench.type(["tape", "read", "differ.wav", "--output", "out"])
    #expect(differ.status == 2 && words(differ.errors).contains("say what they hold"))
    #expect(
      try bench.type(["tape", "read", "differ.wav", "--output", "out", "--channels", "2"]).status
        == 0)
  }

  @Test(arguments: [
    ["read", "--output", "out"], ["read", "a.wav", "--output", "out", "--degrees", "3"],
    ["read", "a.wav", "--output", "out", "--set", "x=1,2"],
    ["read", "a.wav", "--output", "out", "--intervals", "4", "--key", "C major"],
    ["make", "smoke", "--output", "tape.flac"], ["check", "a.wav", "b.wav"],
  ])
  func misuseIsNamed(arguments: [String]) throws {
    #expect(try bench.type(["tape"] + arguments).status == 64)
  }

  @Test func anUnknownFlagIsNamedBeforeItsValueIsARecording() throws {
    let answer = try bench.type(["tape", "check", "recorded.wav", "--interval", "4"])
    #expect(answer.status == 64 && answer.errors.contains("Unknown option '--interval'"))
  }

  @Test func aChangedRecordingIsNamed() throws {
    try record("one.wav", { $0 })
    let manifest = try bench.read("Corpus/manifest.csv")
    let sound = try AudioFile(reading: path("Corpus/audio/b.wav"))
    let changed = AudioFile(
      channels: sound.channels.map { $0.map { 0.9 * $0 } }, sampleRateHz: sound.sampleRateHz)
    let old = try Digest.sha256(ofFile: URL(fileURLWithPath: path("Corpus/audio/b.wav")))
    try changed.write(to: path("Corpus/audio/b.wav"))
    let new = try Digest.sha256(ofFile: URL(fileURLWithPath: path("Corpus/audio/b.wav")))
    try bench.write(manifest.replacing(old, with: new), "Corpus/manifest.csv")
    let answer = try bench.type(["tape", "read", "one.wav", "--output", "out"])
    #expect(answer.status == 2)
    #expect(words(answer.errors).contains("'b' has changed since the tape was made"))
  }
}
