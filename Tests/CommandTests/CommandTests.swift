import AudioFile
import DSP
import Foundation
import TestSupport
import Testing

/// The built command, as a user types it.
@Suite struct CommandTests {
  private func type(
    _ arguments: String..., in folder: TemporaryFolder? = nil
  ) throws -> Shell.Answer {
    try Shell.run(Built.program(of: arguments.first), arguments, in: folder?.url)
  }

  /// A second of A3, at 24 kHz.
  private static let tone = Signal(
    (0..<24_000).map { Float(0.3 * sin(2 * .pi * 220 * Double($0) / 24_000)) },
    sampleRateHz: 24_000)

  @Test func helpTeaches() throws {
    let answer = try type("--help")
    #expect(answer.status == 0)
    #expect(answer.output.contains("Start here") && answer.output.contains("Exit codes"))
  }

  @Test(arguments: [
    (["harmonise"], "no command 'harmonise'; choose from doctor, check"),
    (["tape", "mak", "--rate", "1"], "'tape' has no command 'mak'; choose from make, read, check"),
    (["run"], "plan"), (["run", "p.yaml", "--jobs", "0"], "--jobs"),
    (["harmonize", "a.wav", "b.wav", "--intervals", "4,,7"], "4,,7"),
    (["harmonize", "a.wav", "b.wav", "--intervals", "40"], "choose -24 to 24"),
    (["harmonize", "a.wav", "b.wav", "--intervals", "4", "--rate", "48000"], "option '--rate'"),
    (
      ["harmonize", "a.wav", "b.wav", "--intervals", "4", "--delay-ms", "600"],
      "'600' is invalid for '--delay-ms"
    ),
    (["autotune", "a.wav", "b.wav"], "Choose one of --key, --scale-notes and --midi"),
    (["autotune", "a.wav", "b.wav", "--key", "H major"], "H"),
    (["autotune", "a.wav", "b.wav", "--scale-notes", "C,,D"], "is no pitch"),
    (["autotune", "a.wav", "--key", "A minor"], "Name a recording and a file to write"),
    (["autotune", "--stream", "--midi", "a.mid"], "--stream takes no files"),
    (
      ["autotune", "a.wav", "b.wav", "--key", "A minor", "--amount-percent", "101"],
      "'101' is invalid for '--amount-percent"
    ),
    (["analyze", "a.wav", "b.wav", "--write", "f0", "--output", "c.csv"], "name a folder: c.csv/"),
    (
      ["analyze", "a/x.wav", "b/x.wav", "--write", "picture", "--output", "plots/"],
      "would both be written as x"
    ),
    (["analyze", "a.wav", "--write", "f0,tempo"], "- formants"),
    (["analyze", "a.wav", "--write", "voices"], "--voices-f0 names the expected voices"),
    (["explain", "3fa9", "pitch.abs_eror"], "is no metric; the nearest is pitch.abs_error"),
    (
      ["metrics", "show", "abs_error"], "is no metric or family; the nearest are pitch.abs_error, "
    ),
    (["tune", "p.yaml", "--share", "0.5"], "--share goes with --adaptive"),
  ])
  func misuseExitsWith64AndNamesTheMistake(arguments: [String], words: String) throws {
    let answer = try Shell.run(Built.program(of: arguments.first), arguments)
    #expect(answer.status == 64)
    #expect(answer.errors.contains(words), "\(answer.errors)")
  }

  @Test func whatCannotBeMeasuredExitsWith2AndNamesTheFile() throws {
    let folder = try TemporaryFolder()
    for answer in [
      try type("analyze", "nowhere.wav", in: folder),
      try type("harmonize", "nowhere.wav", "out.wav", "--intervals", "4", in: folder),
      try type("autotune", "nowhere.wav", "out.wav", "--key", "A minor", in: folder),
      try type("run", "nowhere.yaml", in: folder), try type("report", in: folder),
      try type("corpus", "verify", "--corpus", "nowhere", in: folder),
      try type("autotune", "nowhere.wav", "out.wav", "--key", "C major", in: folder),
    ] {
      #expect(answer.status == 2)
      #expect(answer.errors.contains(#/^choir(-eval)?: /#), "\(answer.errors)")
      #expect(answer.output.isEmpty)
    }
    // A failed command leaves no files, in particular no store.
    #expect(folder.contents == [])
  }

  @Test func aVoiceIsHarmonizedAndAnalyzed() throws {
    let folder = try TemporaryFolder()
    try Signal(HarmonizeTests.buzz, sampleRateHz: 48_000).write(to: folder.path("in.wav"))
    let made = try type(
      "harmonize", "in.wav", "out.flac", "--intervals", "-12,7", "--stems", "stems", "--truth",
      "truth.json", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let files = try folder.files(below: ".")
    #expect(
      files == ["in.wav", "out.flac", "stems/voice1.wav", "stems/voice2.wav", "truth.json"])
    let answer = try type(
      "analyze", "in.wav", "--write", "f0", "--output", "f0.csv", "--json", in: folder)
    #expect(answer.status == 0)
    let rows = try String(contentsOf: folder.file("f0.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(rows[0] == "time_s,f0_hz,voicing")
    let middle = rows[100].split(separator: ",")
    #expect(middle[0] == "0.4950" && abs(Double(middle[1])! - 150) < 0.02)
  }

  /// Only what the named files need is measured; --json measures more.
  @Test func onlyWhatIsAskedIsMeasured() throws {
    let folder = try TemporaryFolder()
    try Self.tone.write(to: folder.path("a.wav"))
    let all = try type("analyze", "a.wav", in: folder)
    #expect(all.status == 0 && all.output.contains("CPPS") && all.output.contains("LUFS"))
    let pitch = try type("analyze", "a.wav", "--write", "f0", in: folder)
    #expect(pitch.status == 0 && pitch.output.contains("pitch 220.0 Hz"), "\(pitch.output)")
    #expect(!pitch.output.contains("CPPS") && !pitch.output.contains("LUFS"))
    let level = try type("analyze", "a.wav", "--only", "level", "--json", in: folder)
    #expect(level.output.contains("rmsDbfs") && level.output.contains("f0MedianHz"))
    #expect(!level.output.contains("harmonicityDb") && !level.output.contains("formantsHz"))
    let odd = try type("analyze", "a.wav", "--only", "timbre", in: folder)
    #expect(odd.status == 64 && odd.errors.contains("formants"), "\(odd.errors)")
    #expect(try type("analyze", "a.wav", "--jobs", "0", in: folder).status == 64)
  }

  /// The first recording takes the longest and is printed first nevertheless.
  @Test func recordingsArePrintedInTheOrderGiven() throws {
    let folder = try TemporaryFolder()
    let names = ["z.wav", "y.wav", "x.wav", "w.wav", "v.wav"]
    for (index, name) in names.enumerated() {
      let seconds = index == 0 ? 20 : 0.5
      try Signal.sine(200, amplitude: 0.3, seconds: seconds, sampleRateHz: 8_000)
        .write(to: folder.path(name))
    }
    let answer = try type(
      "analyze", "z.wav", "y.wav", "x.wav", "w.wav", "v.wav", "--only", "pitch", "--jobs", "3",
      in: folder)
    #expect(answer.status == 0)
    #expect(answer.output.split(separator: "\n").map(String.init).filter(names.contains) == names)
    let quiet = try type(
      "analyze", "z.wav", "y.wav", "x.wav", "w.wav", "v.wav", "--only", "pitch", "--quiet",
      in: folder)
    #expect(quiet.errors.isEmpty && quiet.output == answer.output)
  }

  /// One good recording and one invalid file: the good one's files are written, the other is named.
  @Test func severalRecordingsAreAnalyzedIntoFolders() throws {
    let folder = try TemporaryFolder()
    try folder.write("no sound", to: "bad.wav")
    try Self.tone.write(to: folder.path("a.wav"))
    let answer = try type(
      "analyze", "bad.wav", "a.wav", "--write", "notes,picture", "--output", "out/", in: folder)
    #expect(answer.status == 2)
    #expect(answer.errors.contains("bad.wav"))
    #expect(try folder.files(below: "out") == ["a.notes.csv", "a.svg"])
    for refused in [
      try type("analyze", "a.wav", "--write", "f0", "--output", "gone/f0.csv", in: folder),
      try type(
        "analyze", "a.wav", "--voices-f0", "gone.csv", "--write", "voices", "--output", "v.csv",
        in: folder),
    ] {
      #expect(refused.status == 2)
      #expect(refused.errors.hasPrefix("choir-eval: gone"), "\(refused.errors)")
    }
    let notes = try String(contentsOf: folder.file("out/a.notes.csv"), encoding: .utf8)
      .split(separator: "\n")
    // One A3, one second long.
    #expect(notes.count == 2)
    #expect(notes[1].contains(",57,"))
    let picture = try String(contentsOf: folder.file("out/a.svg"), encoding: .utf8)
    #expect(picture.contains("data:image/png") && picture.contains("level, dBFS"))
  }

  /// A corpus accepts the singer's output with its ground truth, and verify names later changes.
  @Test func aCorpusOfOnesOwnIsVerified() throws {
    let folder = try TemporaryFolder()
    let made = try type("synth", "vowel-a-bass", "vowel-o-soprano", "--output", "clips", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let taken = try type(
      "corpus", "import", "generic", "clips", "--corpus", "mine", "--licence", "CC0-1.0",
      in: folder)
    #expect(taken.status == 0, "\(taken.errors)")
    let list = try type("corpus", "list", "--corpus", "mine", in: folder)
    #expect(list.output.contains("vowel-a-bass") && list.output.contains("f0"))
    #expect(try type("corpus", "verify", "--corpus", "mine", in: folder).status == 0)

    let files = try folder.files(below: "mine/audio")
    let bass = try #require(files.first { $0.hasSuffix("vowel-a-bass.wav") })
    let soprano = try #require(files.first { $0.hasSuffix("vowel-o-soprano.f0.csv") })
    try FileManager.default.removeItem(at: folder.file("mine/audio/\(bass)"))
    try folder.write("other", to: "mine/audio/\(soprano)")
    try folder.write("stray", to: "mine/audio/stray.wav")
    let answer = try type("corpus", "verify", "--corpus", "mine", in: folder)
    #expect(answer.status == 1)
    for (finding, file) in [("missing", bass), ("changed", soprano), ("extra", "stray.wav")] {
      let line = answer.output.split(separator: "\n").first { $0.contains(file) }
      #expect(line?.hasPrefix(finding) == true, "\(answer.output)")
    }
  }
}
