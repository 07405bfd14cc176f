import AudioFile
import DSP
import Foundation
import Platform
import Testing

/// `choir-eval check`: one subject, one table, one page, and its exit codes.
@Suite struct CheckTests {
  private static let plan = """
    name: tiny
    title: Two sounds
    subject: reference
    recordings: [a, b]
    scores: [{id: same, intervalsSemitones: [0]}]
    """

  /// A bench whose subject returns its input: in tune at 0 semitones, without delay.
  private func bench(_ line: String = "cp \"$1\" \"$2\"") throws -> GateTests.Bench {
    let bench = try GateTests.Bench()
    try bench.subject(line)
    try bench.write(Self.plan, "plan.yaml")
    return bench
  }

  private func check(_ bench: GateTests.Bench, _ words: String...) throws -> Shell.Answer {
    try bench.type(["check", "mine.yaml", "--plan", "plan.yaml"] + words)
  }

  private struct Answer: Decodable {
    struct Row: Decodable {
      var figure: String
      var value: Double?
      var grade: String?
    }
    struct Gap: Decodable { var what, reason, remedy: String }
    var rows: [Row]
    var gaps: [Gap]
  }

  @Test func aUsableSubjectGetsATableAndAPage() throws {
    let bench = try bench()
    let answer = try check(bench, "--budget", "pitch=5", "--json")
    #expect(answer.status == 0, "\(answer.errors)")
    let found = try JSONDecoder().decode(Answer.self, from: answer.bytes)
    // A copy has the pitch of its input: the tracker's own scatter stays below a cent.
    let pitch = try #require(found.rows.first { $0.figure == "pitch" })
    #expect(try #require(pitch.value) < 1 && pitch.grade == "good")
    let page = try bench.read("Reports/check-mine/index.html")
    #expect(page.contains("What is missing, and what it needs"))
    #expect(page.contains("Rubber Band"))

    // The second time everything is stored, and the table is for people.
    let again = try check(bench)
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("2 of 2 cells were already stored"))
    #expect(again.output.contains("peers, best to worst"))
    #expect(again.output.contains("Reports/check-mine/index.html"))
  }

  @Test func anUnusableSubjectEndsWith2AndLeavesNothing() throws {
    // An empty file, then a program that doesn't exist.
    let bench = try bench("echo no > \"$2\"")
    let answer = try check(bench)
    #expect(answer.status == 2)
    #expect(answer.errors.contains("mine.yaml can't be used: "))
    try bench.write(
      "id: mine\nkind: command\ncommand: [/nowhere/x, '{input}', '{output}', '{semitones}']\n",
      "mine.yaml")
    let absent = try check(bench)
    #expect(absent.status == 2 && absent.errors.contains("its program was not found"))
    #expect(
      !FileManager.default.fileExists(atPath: bench.folder.appendingPathComponent("Reports").path))
  }

  @Test func anExceededBudgetEndsWith1() throws {
    // Half a semitone too high: 50 cents of error.
    let bench = try bench("\(Built.choir.path) harmonize \"$1\" \"$2\" --intervals 0.5 >&2")
    let answer = try check(bench, "--budget", "pitch=25,cost=1000")
    #expect(answer.status == 1, "\(answer.output)\(answer.errors)")
    #expect(answer.errors.contains("budget pitch is exceeded: at most 25"))
    #expect(!answer.errors.contains("budget cost is"))
  }

  /// A file without delay proves nothing about the program that wrote it, unless it states its delay.
  @Test func aLatencyBudgetOfAFileProgramNeedsAStatedLatency() throws {
    let bench = try bench()
    let unknown = try check(bench, "--budget", "latency=20")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("budget latency is unknown: at most 20"))
    let description = try bench.read("mine.yaml")
    try bench.write(description + "\nlatencyMs: 12\n", "mine.yaml")
    #expect(try check(bench, "--budget", "latency=20").status == 0)
    try bench.write(description + "\nlatencyMs: 35\n", "mine.yaml")
    let late = try check(bench, "--budget", "latency=20")
    #expect(late.status == 1 && late.errors.contains("the stated 35 ms counts"))
  }

  @Test(arguments: [
    (["--budget", "delay=20"], "choose among latency, pitch, pitchP95, grossErrors, missing"),
    (["--budget", "latency"], "write NAME=NUMBER"), (["--budget", "latency=soon"], "is 'soon'"),
    (["--budget", "latency=nan"], "is 'nan'"),
    (["--budget", "pitch=1", "--budget", "pitch=2"], "names pitch twice"),
  ])
  func aWrongBudgetIsMisuse(words: [String], said: String) throws {
    let answer = try Shell().type("choir-eval check reference \(words.joined(separator: " "))")
    #expect(answer.status == 64)
    #expect(answer.words.contains(said), "\(answer.errors)")
  }

  @Test func missingFiguresAreNamedWithWhatGivesThem() throws {
    let bench = try bench()
    let found = try JSONDecoder().decode(Answer.self, from: check(bench, "--json").bytes)
    // A file may have its delay removed: no grade for early sound.
    let latency = try #require(found.rows.first { $0.figure == "latency" })
    #expect(latency.value != nil && latency.grade == nil)
    // A tone has no words, so no intelligibility.
    let words = try #require(found.gaps.first { $0.what == "intelligibility, ESTOI" })
    #expect(words.remedy.contains("--plan"))
    #expect(found.rows.first { $0.figure == "intelligibility" }?.value == nil)
    #expect(found.gaps.contains { $0.remedy == "write latencyMs in mine.yaml" })
    #expect(found.gaps.contains { $0.what == "live latency" && $0.remedy.contains("stream") })
    #expect(!found.gaps.contains { $0.remedy.contains("stems") })

    // One call for all intervals mixes the voices.
    let description = try bench.read("mine.yaml")
    try bench.write(description.replacing("{semitones}", with: "{intervals}"), "mine.yaml")
    let mixed = try JSONDecoder().decode(Answer.self, from: check(bench, "--json").bytes)
    #expect(mixed.gaps.contains { $0.remedy.hasPrefix("give stems: ") })
  }

  /// Sounds that were rendered before cost nothing here.
  @Test func aFolderNeedsItsProgramForCost() throws {
    let bench = try bench()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        at: bench.folder.appendingPathComponent("made"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: bench.folder.appendingPathComponent("Corpus/audio/\(name).wav"),
        to: bench.folder.appendingPathComponent("made/\(name)_0.wav"))
    }
    try bench.write(
      "id: mine\nkind: folder\nfiles: \"made/{recording}_{semitones}.wav\"\n", "mine.yaml")
    let answer = try check(bench, "--json")
    #expect(answer.status == 0, "\(answer.errors)")
    let found = try JSONDecoder().decode(Answer.self, from: answer.bytes)
    let cost = try #require(found.gaps.first { $0.what == "cost" })
    #expect(cost.remedy.contains("describe the program"))
    // Files named by interval are stems.
    #expect(!found.gaps.contains { $0.remedy.contains("stems") })
  }
}
