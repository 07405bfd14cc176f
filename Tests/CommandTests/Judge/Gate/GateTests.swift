import Foundation
import TestSupport
import Testing

/// `choir-eval gate` and `accept`: each exit code as a CI system sees it.
@Suite struct GateTests {
  /// Two sounds, and a subject that is a line of shell; only metrics that need no pitch.
  final class Bench: Sendable {
    private let scratch: TemporaryFolder
    var folder: URL { scratch.url }

    init() throws {
      scratch = try TemporaryFolder()
      try TwoSounds.write(to: scratch.file("Corpus"))
      try plan()
      try gate()
      try subject("cp \"$1\" \"$2\"")
    }

    /// A copy of another.
    private init(_ other: Bench) throws {
      scratch = try TemporaryFolder()
      for name in other.scratch.contents {
        try FileManager.default.copyItem(at: other.scratch.file(name), to: scratch.file(name))
      }
    }

    private static let firstAccepted = Result {
      let bench = try Bench()
      try bench.accept()
      return bench
    }

    /// Returns a bench with an accepted baseline; they are copies, as measuring one takes seconds.
    static func accepted() throws -> Bench { try Bench(firstAccepted.get()) }

    func write(_ text: String, _ name: String) throws { try scratch.write(text, to: name) }

    func read(_ name: String) throws -> String {
      try String(contentsOf: scratch.file(name), encoding: .utf8)
    }

    func plan(
      recordings: String = "[a, b]",
      metrics: String = "[level.change, samples.non_finite, clipping.share]"
    ) throws {
      try write(
        """
        name: tiny
        title: Two sounds
        subject: mine.yaml
        recordings: \(recordings)
        scores: [{id: same, intervalsSemitones: [0]}]
        metrics: \(metrics)
        """, "Corpus/plans/tiny.yaml")
    }

    func gate(_ more: String = "") throws {
      try write("plan: ../plans/tiny.yaml\nbaseline: tiny.tsv\n" + more, "Corpus/gates/tiny.yaml")
    }

    func subject(_ line: String, timeoutSeconds: Int = 20, file: String = "mine.yaml") throws {
      try write(
        """
        id: mine
        kind: command
        command: [sh, -c, '\(line)', sh, "{input}", "{output}", "{semitones}"]
        timeoutSeconds: \(timeoutSeconds)
        """, file)
    }

    /// Attenuates by this much, with the command under test.
    static func softer(byDb: String) -> String {
      "\(Built.choir.path) effects \"$1\" \"$2\" "
        + "--chain \"eq(lowShelfHz=20000,lowShelfDb=-\(byDb))\" >&2"
    }

    func spoil() throws { try subject(Self.softer(byDb: "6")) }

    func type(_ words: String...) throws -> Shell.Answer { try type(words) }

    func type(_ words: [String]) throws -> Shell.Answer {
      try Shell.run(Built.choirEval, words, in: folder)
    }

    static let file = "Corpus/gates/tiny.yaml"

    func accept(_ reason: String = "first") throws {
      let answer = try type("accept", Self.file, "--reason", reason)
      #expect(answer.status == 0, "\(answer.errors)")
    }
  }

  /// Answers that were accepted and are gone can't be compared.
  @Test func aDeletedFileOfAnswersFailsWith2() throws {
    let bench = try Bench.accepted()
    try FileManager.default.removeItem(
      at: bench.folder.appendingPathComponent("Corpus/gates/tiny.bench.tsv"))
    let answer = try bench.type("gate", Bench.file)
    #expect(answer.status == 2, "\(answer.output)\(answer.errors)")
    #expect(
      answer.output.contains("are not there: Corpus/gates/tiny.bench.tsv; bring the file back"))
  }

  @Test func whatIsTheSamePassesWith0() throws {
    let bench = try Bench.accepted()
    let answer = try bench.type("gate", Bench.file)
    #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
    #expect(answer.output.hasPrefix("gate tiny: pass. 2 of 2 cells"))
    // The table of minimum detectable effects.
    #expect(answer.output.contains("level.change") && answer.output.contains("detectable"))
  }

  @Test func whatIsWorseFailsWith1InEveryFormat() throws {
    let bench = try Bench.accepted()
    try bench.spoil()
    let answer = try bench.type(
      "gate", Bench.file, "--output", "g.md", "--output", "g.xml", "--output", "g.sarif",
      "--format",
      "github")
    #expect(answer.status == 1, "\(answer.output)\(answer.errors)")
    #expect(answer.output.contains("regression  level.change"))
    #expect(answer.output.contains("choir-eval explain"))
    #expect(answer.output.contains("::error file=Corpus/gates/tiny.tsv,line="))
    #expect(try bench.read("g.md").contains("**✗ Regression.** "))
    #expect(try bench.read("g.xml").contains("<failure"))
    #expect(try bench.read("g.sarif").contains("\"ruleId\" : \"level.change\""))
    // The command in the output works.
    let command = try #require(
      answer.output.split(separator: "\n").first { $0.contains("    choir-eval explain") })
    let words = command.split(separator: " ").dropFirst().map(String.init)
    #expect(
      try bench.type(words[0], words[1], words[2], words[3], words[4], words[5], words[6]).status
        == 0)
    let object = try bench.type("gate", Bench.file, "--json").json()
    #expect(object["schema"] as? String == "choir-eval.gate/1" && object["exitCode"] as? Int == 1)
  }

  @Test func whatWasAcceptedPasses() throws {
    let bench = try Bench.accepted()
    try bench.spoil()
    let before = try bench.read("Corpus/gates/tiny.tsv")
    let dry = try bench.type("accept", Bench.file, "--reason", "quieter on purpose", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("1 figure would change"))
    #expect(try bench.read("Corpus/gates/tiny.tsv") == before)
    try bench.accept("quieter on purpose")
    #expect(try bench.type("gate", Bench.file).status == 0)
    let lines = try bench.read("Corpus/gates/tiny.tsv").split(separator: "\n")
    #expect(lines.count { $0.hasSuffix("quieter on purpose") } == 1)
    #expect(lines.count { $0.hasSuffix("first") } == 2)
  }

  @Test func whatWasAcceptedCanBeExplained() throws {
    let bench = try Bench()
    let store = ["--store", "accepted.sqlite"]
    let answer = try bench.type(["accept", Bench.file, "--reason", "first"] + store)
    #expect(answer.status == 0, "\(answer.errors)")
    let export = try bench.type(["export", "tiny"] + store)
    #expect(export.status == 0 && export.output.contains("level.change"), "\(export)")
  }

  /// Without the store, the command that a gate prints would measure again, into another one.
  @Test func theCommandThatPlaysAChangeNamesTheStore() throws {
    let bench = try Bench.accepted()
    try bench.spoil()
    let answer = try bench.type("gate", Bench.file, "--store", "mine.sqlite")
    let line = answer.output.split(separator: "\n").first { $0.contains("To see and hear it") }
    #expect(line?.contains("--store mine.sqlite --cached") == true, "\(answer.output)")
  }

  @Test func aBudgetFailsWith1() throws {
    let bench = try Bench.accepted()
    try bench.gate("budgets: [{metric: clipping.share, min: 0.5}]")
    let answer = try bench.type("gate", Bench.file)
    #expect(answer.status == 1 && answer.output.contains("budget broken"))
  }

  /// The same sound at a much higher cost: milliseconds of a shell's loop instead of a copy.
  @Test func whatCostsMoreFailsWith1InEveryFormat() throws {
    let bench = try Bench()
    try bench.plan(recordings: "[a]")
    // A large effect is sure after few rounds.
    try bench.gate("cost: {minimumPercent: 50}\n")
    let (own, old) = ("my own.yaml", "my old.yaml")
    for file in [own, old] { try bench.subject("cp \"$1\" \"$2\"", file: file) }
    let accepted = try bench.type("accept", Bench.file, "--reason", "first", "--subject", own)
    #expect(accepted.status == 0, "\(accepted.errors)")
    try bench.subject(
      "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; cp \"$1\" \"$2\"", file: own)
    let answer = try bench.type(
      "gate", Bench.file, "--subject", own, "--baseline", old, "--output", "g.md", "--output",
      "g.xml", "--output", "g.sarif", "--format", "github")
    #expect(answer.status == 1, "\(answer.output)\(answer.errors)")
    #expect(answer.output.contains("regression  cost"))
    #expect(
      answer.output.contains(
        "choir-eval probe 'my own.yaml' --only cost --baseline 'my old.yaml'"))
    #expect(answer.output.contains("::error title=regression%3A cpu.realtime_factor::cost"))
    #expect(try bench.read("g.md").contains("| regression | cost | costs "))
    #expect(try bench.read("g.xml").contains("classname=\"gate.cost\""))
    #expect(try bench.read("g.sarif").contains("\"ruleId\" : \"cpu.realtime_factor\""))
  }

  /// Impulses are no voice, so the page plays the whole sound. 4,000 bytes of a sound file are its header and less than
  /// the silence before the first impulse; zeros after them make the rest late.
  @Test func aPageOfImpulsesIsWritten() throws {
    let bench = try Bench()
    try bench.write(
      bench.read("Corpus/manifest.csv")
        + "impulses,,synthetic:impulses,,CC0-1.0,nobody,none,probe,x\n", "Corpus/manifest.csv")
    try bench.plan(recordings: "[impulses]", metrics: "[latency.impulse]")
    try bench.accept()
    try bench.subject(
      "(head -c 4000 \"$1\"; head -c 4000 /dev/zero; tail -c +4001 \"$1\") "
        + "| head -c $(stat -c %s \"$1\") > \"$2\"")
    let answer = try bench.type("gate", Bench.file, "--output", "page")
    #expect(answer.status == 1, "\(answer.output)\(answer.errors)")
    #expect(try bench.read("page/index.html").contains("▶ Play how it sounds now"))
  }

  /// A program of another kind is an error; without another side cost is not compared.
  @Test func costThatCanNotBeMeasuredFailsWith2() throws {
    let bench = try Bench.accepted()
    let alone = try bench.type("gate", Bench.file, "--cost", "time")
    #expect(alone.status == 0 && alone.output.contains("is not compared; give"), "\(alone)")
    let program = try bench.type("gate", Bench.file, "--baseline", "/bin/true")
    #expect(
      program.status == 2 && program.errors.contains("name a subject as --baseline"),
      "\(program.errors)")
    #expect(try bench.type("gate", Bench.file, "--cost", "off").status == 0)
  }

  @Test(arguments: [
    ("kill -SEGV $$", "crashed"), ("sleep 60", "hung"), ("exit 3", "3"), ("true", "no output"),
  ])
  func aSubjectThatFailsIsNoPass(line: String, words: String) throws {
    let bench = try Bench.accepted()
    try bench.subject(line, timeoutSeconds: 1)
    let answer = try bench.type("gate", Bench.file, "--format", "github")
    #expect(answer.status == 2, "\(answer.output)\(answer.errors)")
    #expect(answer.output.contains("cell failed") && answer.output.contains("::error"))
    #expect((answer.output + answer.errors).contains(words), "\(answer.output)")
    let acceptance = try bench.type("accept", Bench.file, "--reason", "why not")
    #expect(acceptance.status == 2)
    // The other five rounds would be for nothing.
    #expect(acceptance.errors.contains("measuring, 1 of 2"), "\(acceptance.errors)")
    #expect(!acceptance.errors.contains("measuring, 2 of 2"), "\(acceptance.errors)")
  }

  @Test func missingCellsAreNamedWith2() throws {
    let bench = try Bench.accepted()
    try bench.plan(recordings: "[a]")
    let answer = try bench.type("gate", Bench.file)
    #expect(answer.status == 2 && answer.output.contains("cell missing  b · same"), "\(answer)")
  }

  @Test func nothingToMeasureIsNoPass() throws {
    let bench = try Bench.accepted()
    try bench.plan(recordings: "{voice: bass}")
    #expect(try bench.type("gate", Bench.file).status == 2)
    try bench.plan(recordings: "[]")
    #expect(try bench.type("gate", Bench.file).status == 2)
    try bench.plan()
    try bench.write(
      "id,file,source,sha256,licence,attribution,voice,kind,shows\n", "Corpus/manifest.csv")
    let empty = try bench.type("gate", Bench.file)
    #expect(empty.status == 2 && empty.errors.contains("is empty"), "\(empty.errors)")
    #expect(
      try bench.type("gate", "nowhere.yaml", "--format", "github").output.hasPrefix("::error::"))
  }

  @Test func withoutABaselineNothingPasses() throws {
    let bench = try Bench()
    let answer = try bench.type("gate", Bench.file)
    #expect(answer.status == 2 && answer.errors.contains("choir-eval accept"), "\(answer.errors)")
  }

  /// Short sounds are softer by four minimum effects. Inaudible delays lengthen them, so that half of the ten
  /// takes are: chance may have chosen these.
  @Test func inconclusiveFailsWith3WhereStrict() throws {
    let bench = try Bench.accepted()
    try bench.subject(
      "if [ $(stat -c %s \"$1\") -lt 161000 ]; then \(Bench.softer(byDb: "2")); "
        + "else cp \"$1\" \"$2\"; fi")
    let plain = try bench.type("gate", Bench.file)
    #expect(plain.status == 0 && plain.output.contains("inconclusive"), "\(plain)")
    let strict = try bench.type("gate", Bench.file, "--strict")
    #expect(strict.status == 3 && strict.output.hasPrefix("gate tiny: inconclusive"), "\(strict)")
  }

  @Test func newWritesAGateThatWaitsForItsBaseline() throws {
    let bench = try Bench()
    let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let corpus = ["--corpus", root.appendingPathComponent("Corpus").path]
    let new = ["gate", "new", "mine.yaml", "--output", "eval"] + corpus
    #expect(try bench.type(new + ["--ci", "gitlab"]).status == 64)
    let answer = try bench.type(new + ["--ci", "gitlab", "--build", "make \"x\": all"])
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(try bench.read("eval/gate-plan.yaml").contains("subject: ../mine.yaml"))
    #expect(try bench.read(".gitlab-ci.yml").contains("gate eval/gate.yaml --against"))
    let gate = try bench.type(["gate", "eval/gate.yaml"] + corpus)
    #expect(gate.status == 2 && gate.errors.contains("choir-eval accept eval/gate.yaml"), "\(gate)")
    // Nothing is replaced without permission.
    #expect(try bench.type(new).status == 64)
    let job = ["--ci", "github", "--build", "make"]
    let tuner = try bench.type(["gate", "new", "autotuner", "--output", "tuner"] + corpus + job)
    #expect(tuner.status == 0, "\(tuner.errors)")
    let steps = try bench.read(".github/workflows/gate.yml")
    #expect(steps.contains("choir-eval/bin") && steps.contains(" tuner/gate.yaml"), "\(steps)")
    #expect(try bench.read("tuner/gate-plan.yaml").contains("tuned: C chromatic"))
  }

  @Test func misuseExitsWith64() throws {
    let bench = try Bench()
    #expect(try bench.type("gate").status == 64)
    #expect(try bench.type("gate", Bench.file, "--format", "pdf").status == 64)
    #expect(try bench.type("gate", Bench.file, "--json", "--format", "sarif").status == 64)
    #expect(try bench.type("gate", Bench.file, "--jobs", "0").status == 64)
    #expect(try bench.type("gate", Bench.file, "--cost", "clock").status == 64)
    #expect(try bench.type("gate", Bench.file, "--baseline", "./nowhere").status == 64)
    #expect(try bench.type("gate", Bench.file, "--baseline", "old.yaml", "--cost=off").status == 64)
    #expect(try bench.type("gate", Bench.file, "--output", "g.pdf").status == 64)
    #expect(try bench.type("accept", Bench.file).status == 64)
    #expect(try bench.type("accept", Bench.file, "--reason", " ").status == 64)
  }

  @Test func aRandomSubjectIsAcceptedWithItsNoise() throws {
    let bench = try Bench()
    // Up to 9 dB softer, every time anew; in steps of a microbel, as equal draws would make the subject deterministic.
    let fraction = "$(shuf --input-range 10000-99999 --head-count 1)"
    try bench.subject(Bench.softer(byDb: "$(shuf --input-range 0-8 --head-count 1).\(fraction)"))
    let answer = try bench.type("accept", Bench.file, "--reason", "first")
    #expect(answer.status == 0 && answer.output.contains("The subject is random"), "\(answer)")
    let gate = try bench.type("gate", Bench.file)
    #expect(gate.status == 0 && gate.output.contains("random subject"), "\(gate)")
  }

  @Test func aGateChoosesTheNumberOfInaudibleChanges() throws {
    let bench = try Bench()
    for count in [6, 2] {
      try bench.gate("perturbations: \(count)\n")
      let answer = try bench.type("accept", Bench.file, "--reason", "more takes")
      #expect(answer.output.contains("under \(count) inaudible changes"), "\(answer)")
      #expect(try bench.type("gate", Bench.file).status == 0)
    }
    // Without the key as many as before.
    try bench.gate("")
    let answer = try bench.type("accept", Bench.file, "--reason", "again", "--all")
    #expect(answer.output.contains("under 2 inaudible changes"), "\(answer)")
    try bench.gate("perturbations: 1\n")
    let refusal = try bench.type("gate", Bench.file)
    #expect(refusal.status == 2 && refusal.errors.contains("perturbations is 1"), "\(refusal)")
  }

  /// A worse program with its own noise would pass by it.
  @Test func aWorseProgramCanNotBecomeItsOwnNoise() throws {
    let bench = try Bench.accepted()
    try bench.spoil()
    #expect(try bench.type("gate", Bench.file).status == 1)
    // The files of another gate's baseline don't help.
    try bench.write("plan: ../plans/tiny.yaml\nbaseline: other.tsv\n", "Corpus/gates/other.yaml")
    #expect(
      try bench.type("accept", "Corpus/gates/other.yaml", "--reason", "worse on purpose").status
        == 0)
    for kind in ["noise", "bench"] {
      let own = try bench.read("Corpus/gates/tiny.\(kind).tsv")
      try bench.write(
        try bench.read("Corpus/gates/other.\(kind).tsv"), "Corpus/gates/tiny.\(kind).tsv")
      let mixed = try bench.type("gate", Bench.file)
      #expect(mixed.status == 2, "\(mixed)")
      #expect(
        mixed.errors.contains("tiny.\(kind).tsv belongs to another baseline")
          && mixed.errors.contains("choir-eval accept Corpus/gates/tiny.yaml --all"),
        "\(mixed.errors)")
      try bench.write(own, "Corpus/gates/tiny.\(kind).tsv")
    }
  }
}
