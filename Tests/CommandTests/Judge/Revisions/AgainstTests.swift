import Foundation
import TestSupport
import Testing

/// `choir-eval gate --against`: verdicts, what is kept, and each thing that can be wrong.
@Suite struct AgainstTests {
  private let shop: ToyWorkshop

  init() throws {
    shop = try ToyWorkshop()
    try shop.commit("First")
  }

  private func refused(_ words: String, by line: String...) throws {
    let answer = try shop.type(line.isEmpty ? ["gate", "gate.yaml", "--against", "HEAD"] : line)
    #expect(answer.status == 2 && answer.words.contains(words), "\(answer.errors)")
    #expect(shop.isTidy)
  }

  @Test func theSameProgramPassesAndIsMeasuredOnce() throws {
    try shop.program(remark: "another text, the same program")
    try shop.commit("Second")
    let first = try shop.type("gate", "gate.yaml", "--against", "HEAD~1")
    #expect(first.status == 0, "\(first.said)")
    #expect(first.output.hasPrefix("gate toy against HEAD~1: pass. 2 of 2 cells"))
    #expect(!first.output.contains("earlier"))
    #expect(shop.isTidy)
    let again = try shop.type("gate", "gate.yaml", "--against", "HEAD~1")
    #expect(again.status == 0 && again.output.contains("; measured earlier"))
    #expect(!again.errors.contains("building 0"))
  }

  /// The gain is a tenth, 20 LU less; from half a second on as much again, which is an instant.
  @Test func whatGotWorseFailsWithTheSoundsOfBothSides() throws {
    try shop.program(gain: 0.1, softFromSample: 24_000)
    try shop.commit("Softer")
    let answer = try shop.type(
      "gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off", "--output", "out.md",
      "--output", "out.xml", "--output", "page")
    #expect(answer.status == 1, "\(answer.said)")
    #expect(answer.said.contains("regression level.change · 0 · same"))
    let files = answer.output.matches(of: /\/\S+\.flac/).map { String($0.0) }
    #expect(files.count == 4 && files.allSatisfy(FileManager.default.fileExists))
    let page = try String(
      contentsOf: shop.toy.url.appendingPathComponent("out.md"), encoding: .utf8)
    #expect(page.contains(/Judged: commit [0-9a-f]{12} .*‘Softer’/), "\(page)")
    #expect(page.contains("with the revision") && page.contains("First"))
    // The page plays both sides.
    let html = try String(
      contentsOf: shop.toy.url.appendingPathComponent("page/index.html"), encoding: .utf8)
    #expect(html.contains("▶ Play before") && html.contains("▶ Play after"))
    let sounds = try FileManager.default.contentsOfDirectory(
      atPath: shop.toy.url.appendingPathComponent("page/audio/cause-1-sound").path)
    #expect(sounds.contains { $0.hasSuffix("baseline.html") }, "\(sounds)")
  }

  /// Half the level, but only for the very sounds of the corpus: four inaudible changes of them say
  /// otherwise.
  @Test func whatInaudibleChangesUndoFailsNoGate() throws {
    try shop.program(softAtOnce: true)
    try shop.commit("Chance")
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off")
    #expect(answer.status == 0, "\(answer.said)")
    #expect(answer.said.contains("no further than noise 1 figure changed"))
  }

  /// No recording holds a constant of three seconds. The bench has one, on both sides.
  @Test func aFaultThatNoRecordingShowsIsFoundOnTheBench() throws {
    try shop.program(failsAfterConstant: true)
    try shop.commit("Filter that drifts")
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off")
    #expect(answer.status == 1, "\(answer.said)")
    #expect(answer.said.contains("regression bench · dc, then voice"), "\(answer.said)")
    #expect(answer.said.contains("1 regression"), "\(answer.said)")
  }

  /// The sample 12,000 is a quarter of a second.
  @Test func aClickIsListedWithItsInstant() throws {
    try shop.plan(metrics: "[clicks.count]")
    try shop.commit("Clicks are counted")
    try shop.program(clickAtSample: 12_000)
    try shop.commit("Clicking")
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off")
    #expect(answer.status == 1, "\(answer.said)")
    #expect(answer.output.contains(/clicks\.count +[ab] +0 +0\.250 +click/), "\(answer.output)")
  }

  @Test func aRepairOfAFailingReferenceIsNoFailure() throws {
    try shop.write("#include <stdio.h>\nint main(void) { return getchar() == EOF; }\n", "shifter.c")
    try shop.commit("Broken")
    try shop.program()
    try shop.commit("Repaired")
    try refused("no cell of the revision", by: "gate", "gate.yaml", "--against", "HEAD~1")
    #expect(try shop.type("gate", "gate.yaml", "--against", "HEAD~2", "--cost", "off").status == 0)
  }

  /// Each side is run by its own choir-eval: here both are this one.
  @Test func theReferenceHarmonizerIsRunByItsOwnBuild() throws {
    let own = Built.choirEval.path
    try shop.gate("build: mkdir -p out && ln -s \(own) out/choir-eval\nprogram: out/choir-eval")
    try shop.write(
      """
      name: own
      subject: reference
      recordings: [a]
      scores: [{id: third, intervalsSemitones: [4]}]
      settings: {engine: [delayline]}
      metrics: [level.change]
      """, "plan.yaml")
    try shop.commit("Own")
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD", "--cost", "off")
    #expect(answer.status == 0, "\(answer.said)")
    try shop.gate("build: mkdir -p out\nprogram: out/choir-eval")
    try shop.commit("No program")
    try refused("built no out/choir-eval; correct 'build' or 'program'")
    try shop.gate("build: mkdir -p out && cp /bin/false out/choir-eval\nprogram: out/choir-eval")
    try shop.commit("A program that fails")
    try refused("could not measure the plan")
  }

  /// A limit, and another subject with the settings of the plan's. The revision's program is this one
  /// behind a script that exits as after failed cells.
  @Test func bothSidesOfOneProgramMeasureTheSamePlan() throws {
    let own = Built.choirEval.path
    try shop.write(
      """
      #!/bin/sh
      "\(own)" "$@"
      code=$?
      case "$1" in run) exit 2 ;; esac
      exit $code
      """, "wrapped")
    try shop.gate(
      "build: mkdir -p out && cp wrapped out/choir-eval && chmod +x out/choir-eval\n"
        + "program: out/choir-eval")
    try shop.write(
      """
      name: own
      subjects: [{id: offline, settings: {engine: [delayline], windowMs: [20]}}]
      recordings: [a]
      scores: [{id: third, intervalsSemitones: [4]}]
      metrics: [level.change]
      limitSeconds: 0.001
      """, "plan.yaml")
    try shop.commit("Own")
    let answer = try shop.type(
      "gate", "gate.yaml", "--against", "HEAD", "--subject", "reference", "--cost", "off")
    #expect(answer.status == 0, "\(answer.said)")
    #expect(answer.output.contains("1 of 1 cells"), "\(answer.said)")
  }

  // MARK: What is wrong is named

  @Test func aGateWithoutABuildIsRefused() throws {
    try shop.gate("# nothing")
    try shop.commit("No build")
    try refused("lacks 'build'")
    try shop.gate("build: ' '")
    try shop.commit("Empty build")
    try refused("line 2: build is empty; write a shell command")
  }

  @Test func aRevisionThatDoesNotBuildIsNamedWithItsLog() throws {
    try shop.write("nonsense\n", "shifter.c")
    try shop.commit("Nonsense")
    try shop.program()
    try shop.commit("Repaired")
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off")
    #expect(answer.said.contains("‘Nonsense’) does not build: 'cc -O1 -o shifter shifter.c -lm'"))
    let log = try #require(answer.errors.firstMatch(of: /read (\S+build\.log)/)).1
    #expect(FileManager.default.fileExists(atPath: String(log)))
    // The working tree alone.
    try shop.write("nonsense\n", "shifter.c")
    try shop.commit("Nonsense again")
    try refused("the working tree does not build", by: "gate", "gate.yaml", "--against", "HEAD~1")
  }

  @Test func aShallowCloneIsNamed() throws {
    try shop.commit("Second")
    let clone = shop.toy.folder.file("clone")
    try shop.toy.git("clone", "--quiet", "--depth", "1", "file://\(shop.toy.url.path)", clone.path)
    try refused(
      "is a shallow clone and does not hold 'HEAD~1'; fetch the history: git fetch --unshallow",
      by: "gate", clone.appendingPathComponent("gate.yaml").path, "--against", "HEAD~1")
    try refused("has no commit 'nowhere'", by: "gate", "gate.yaml", "--against", "nowhere")
  }

  @Test func uncommittedChangesAreRefusedOrAllowed() throws {
    try shop.program(gain: 0.1)
    try refused("has uncommitted changes, so the result belongs to no commit: shifter.c;")
    let answer = try shop.type(
      "gate", "gate.yaml", "--against", "HEAD", "--allow-dirty", "--cost", "off")
    #expect(answer.status == 1, "\(answer.said)")
  }

  @Test func aRenamedSubjectIsFoundUnderItsFormerName() throws {
    try shop.toy.git("mv", "mine.yaml", "yours.yaml")
    try shop.write(
      try String(contentsOf: shop.toy.url.appendingPathComponent("plan.yaml"), encoding: .utf8)
        .replacing("mine.yaml", with: "yours.yaml"), "plan.yaml")
    try shop.commit("Renamed")
    try refused(
      "has no yours.yaml: it was mine.yaml then; name it: --against-subject mine.yaml",
      by: "gate", "gate.yaml", "--against", "HEAD~1")
    let answer = try shop.type(
      "gate", "gate.yaml", "--against", "HEAD~1", "--against-subject", "mine.yaml",
      "--allow-changed-plan")
    #expect(answer.status == 0, "\(answer.said)")
  }

  @Test func aChangedPlanIsRefusedOrAllowed() throws {
    try shop.plan(recordings: "[a]")
    try shop.commit("One recording")
    try refused("plan.yaml differs from that of", by: "gate", "gate.yaml", "--against", "HEAD~1")
    let answer = try shop.type(
      "gate", "gate.yaml", "--against", "HEAD~1", "--allow-changed-plan", "--cost", "off")
    #expect(answer.status == 0 && answer.output.contains("1 of 1 cells"), "\(answer.said)")
    // A comment changes nothing.
    try shop.write(
      "# A comment\n"
        + (try String(
          contentsOf: shop.toy.url.appendingPathComponent("plan.yaml"), encoding: .utf8)),
      "plan.yaml")
    try shop.commit("Comment")
    #expect(try shop.type("gate", "gate.yaml", "--against", "HEAD~1", "--cost", "off").status == 0)
  }

  @Test func aSubjectWithoutARepositoryIsNamed() throws {
    try FileManager.default.removeItem(at: shop.toy.url.appendingPathComponent(".git"))
    let answer = try shop.type("gate", "gate.yaml", "--against", "HEAD")
    #expect(answer.status == 2 && answer.errors.contains("is not in a git repository"))
  }

  @Test func contradictingOptionsAreMisuse() throws {
    let both = try shop.type("gate", "gate.yaml", "--against", "HEAD", "--baseline", "mine.yaml")
    #expect(both.status == 64 && both.errors.contains("contradict"), "\(both.errors)")
    let answer = try shop.type("gate", "gate.yaml")
    #expect(answer.status == 64 && answer.words.contains("--builds is for --against"))
  }

  @Test func anInterruptionDuringABuildLeavesNothing() throws {
    // The working tree has .git, so only the revision's build sleeps.
    try shop.gate("build: test -d .git || { touch \(shop.toy.url.path)/started; sleep 600; }")
    try shop.commit("Slow")
    let status = try shop.interrupted("gate", "gate.yaml", "--against", "HEAD") {
      #expect(!shop.isTidy)
    }
    #expect(status == 130 && shop.isTidy)
    let left = try shop.toy.folder.files(below: "builds")
    #expect(!left.contains { $0.hasSuffix("/shifter.c") })
  }
}
