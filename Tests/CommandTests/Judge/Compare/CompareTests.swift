import AudioFile
import DSP
import Foundation
import Sweep
import TestSupport
import Testing

/// `choir-eval compare`: two files, one table.
@Suite struct CompareTests {
  private func type(_ arguments: [String]) throws -> Shell.Answer {
    try Shell.run(Built.choirEval, ["compare"] + arguments)
  }

  /// Notes of a buzz with pauses, delayed by `late` samples.
  private static func notes(late: Int) -> Signal {
    let samples = (0..<96_000).map { n -> Float in
      let place = n - late
      guard place >= 0, place % 24_000 < 18_000 else { return 0 }
      return HarmonizeTests.buzz[place % 24_000]
    }
    return Signal(samples, sampleRateHz: 48_000)
  }

  @Test func jsonHasEveryFigureByItsName() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.wav"), folder.path("b.wav"))
    try Self.notes(late: 0).write(to: a)
    try Self.notes(late: 240).write(to: b)
    let answer = try type([a, b, "--json"])
    #expect(answer.status == 0, "\(answer.errors)")
    let metrics = try #require(answer.json()["metrics"] as? [String: [String: Any]])
    for id in [
      "latency.alignment", "pitch.abs_error", "formant.ratio", "envelope.lsd", "timbre.mcd",
      "intelligibility.stoi", "intelligibility.estoi", "intelligibility.stoi.vocoded",
    ] {
      let figure = try #require(metrics[id], "\(id)")
      // Each value is a number, or null with a reason.
      #expect(figure["value"] is NSNumber || figure["undefined"] is String, "\(id)")
    }
    let delay = try #require(metrics["latency.alignment"]?["value"] as? Double)
    #expect(abs(delay - 5) < 0.01)  // 240 samples
    let error = try #require(metrics["pitch.abs_error"]?["value"] as? Double)
    #expect(error < 0.1)
  }

  @Test func whatCannotBeComparedIsNamed() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.wav"), folder.path("b.wav"))
    try Self.notes(late: 0).write(to: a)
    try Signal(Self.notes(late: 0).samples, sampleRateHz: 44_100).write(to: b)
    let rates = try type([a, b])
    #expect(rates.status == 2)
    #expect(rates.errors.contains("48000") && rates.errors.contains("44100"))
    let missing = try type([a, "nowhere.wav"])
    #expect(missing.status == 2)
    #expect(missing.errors.contains("nowhere.wav"))
    #expect(try type([a, b, "--semitones", "99"]).status == 64)
    // Negative shifts and delays are accepted: the error is about the sample rates.
    #expect(try type([a, b, "--semitones", "-5", "--delay-ms", "-2"]).status == 2)
    let folders = try type([folder.url.path, folder.url.path])
    #expect(folders.status == 2)
    #expect(folders.errors.contains("is a folder; choose a sound file in it"))
    // An option without effect is refused.
    let runs = try type([a, b, "--metrics", "pitch.bias"])
    #expect(runs.status == 64 && runs.errors.contains("--metrics is for runs"))
    let store = folder.file("runs.sqlite")
    _ = try ResultStore(store)
    let runsIn = ["one", "other", "--store", store.path, "--metrics"]
    let describes = try type(runsIn + ["tremolo.rate"])
    #expect(describes.status == 64 && describes.errors.contains("only describes"))
    let ofSounds = try type(runsIn + ["tremolo.added"])
    #expect(ofSounds.status == 64 && ofSounds.errors.contains("runs have tremolo.depth"))
  }

  /// The mean of two channels in opposite phase is silent, but the voice is not.
  @Test func channelsInOppositePhaseAreComparedByTheLoudest() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.wav"), folder.path("b.wav"))
    let voice = Self.notes(late: 0)
    try voice.write(to: a)
    try AudioFile(
      channels: [voice.samples, voice.samples.map { -0.9 * $0 }], sampleRateHz: voice.sampleRateHz
    ).write(to: b)
    let run = try type([a, b])
    #expect(run.status == 0)
    #expect(run.output.contains("the voice is judged in channel 1, the loudest"), "\(run.output)")
  }

  /// A choir of the sound itself has one voice at interval 0 that is in tune.
  @Test func voicesInsideAMixHaveAColumnEach() throws {
    let folder = try TemporaryFolder()
    let a = folder.path("a.wav")
    try Self.notes(late: 0).write(to: a)
    let answer = try type([a, a, "--intervals", "-12,0"])
    #expect(answer.status == 0, "\(answer.errors)")
    let header = answer.output.split(separator: "\n")
      .first { $0.hasPrefix("metric") }
    #expect(header?.split(separator: " ").suffix(3) == ["all", "-12", "0"])
    let object = try type([a, a, "--intervals", "0", "--json"]).json()
    #expect(object["schema"] as? String == "choir-eval.compare-choir/1")
    let metrics = try #require(object["metrics"] as? [String: [String: Any]])
    let error = try #require(metrics["pitch.abs_error"]?["values"] as? [[String: Any]])
    #expect(error.first?["voice"] as? String == "0")
    #expect(try #require(error.first?["value"] as? Double) < 0.1)
    for wrong in [["--dry"], ["--intervals", "4,x"], ["--intervals", "4", "--semitones", "4"]] {
      #expect(try type([a, a] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test func aPresetThatIsTakenForARunIsOffered() throws {
    let folder = try TemporaryFolder()
    let store = folder.file("results.sqlite")
    _ = try ResultStore(store)
    let answer = try type(["duet", "trio", "--store", store.path])
    #expect(answer.status == 64 && answer.errors.contains("for the preset write preset:duet."))
  }

  /// One of the two recordings is gone on each side.
  @Test func failedCellsEndWith2() throws {
    let bench = try GateTests.Bench()
    let presets = [
      "compare", "preset:octaves", "preset:power-fifths", "--plan", "Corpus/plans/tiny.yaml",
    ]
    let whole = try bench.type(presets)
    // Fifths are worse than octaves in some figure.
    #expect(whole.status == 1, "\(whole.errors)")
    try FileManager.default.removeItem(
      at: bench.folder.appendingPathComponent("Corpus/audio/a.wav"))
    let answer = try bench.type(presets + ["--store", "other.sqlite"])
    #expect(answer.status == 2)
    #expect(answer.errors.contains("2 of 4 cells failed and could not be compared: "))
    #expect(answer.errors.contains("a.wav"), "\(answer.errors)")
    // What was measured is compared.
    #expect(answer.output.contains("1 cell failed on both sides."), "\(answer.output)")
    let runs = try bench.type(
      "compare", "tiny preset:octaves", "tiny preset:octaves", "--store", "other.sqlite")
    #expect(runs.status == 2 && runs.errors.contains("2 of 4 cells failed"), "\(runs.errors)")
  }

  /// Compares with a test of a tenth of the reference's length, and with an early one.
  @Test func lengthsAndDirectionsAreSaid() throws {
    let folder = try TemporaryFolder()
    let (a, b) = (folder.path("a.wav"), folder.path("b.wav"))
    let late = Self.notes(late: 240)
    try late.write(to: a)
    try Self.notes(late: 0).write(to: b)
    let early = try type([a, b]).output
    #expect(early.hasPrefix("the test is 5.00 ms earlier"))
    try Signal(Array(late.samples.prefix(9600)), sampleRateHz: 48_000).write(to: b)
    let short = try type([a, b]).output
    #expect(short.hasPrefix("the reference lasts 2.00 s, the test 0.20 s: "))
  }
}
