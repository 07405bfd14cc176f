import Foundation
import Testing

/// Hints for the next command, and exit codes of commands without a result.
@Suite struct WayOutTests {
  @Test func whatRunTellsToTypeNextFindsTheRun() throws {
    let bench = try GateTests.Bench()
    let run = try bench.type("run", "Corpus/plans/tiny.yaml", "--store", "mine.sqlite")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasSuffix("choir-eval report tiny --store mine.sqlite\n"))
    // The default store is not repeated.
    let plain = try bench.type("run", "Corpus/plans/tiny.yaml")
    #expect(plain.output.hasSuffix("choir-eval report tiny\n"))
  }

  /// A name with a blank is one word of every command that is printed.
  @Test func namesWithBlanksAreQuoted() throws {
    let bench = try GateTests.Bench()
    let places = ["--store", "my run.sqlite"]
    let run = try bench.type(["run", "Corpus/plans/tiny.yaml"] + places)
    #expect(run.output.hasSuffix("choir-eval report tiny --store 'my run.sqlite'\n"))
    let report = try bench.type(["report", "tiny", "--format", "markdown"] + places)
    #expect(report.output.contains("`choir-eval report tiny --store 'my run.sqlite'`"))
    let found = try bench.type(["explain", "a mine", "level.change", "--no-files"] + places)
    #expect(found.output.hasSuffix(" --run tiny --store 'my run.sqlite' --no-files\n"))
    try bench.accept()
    try bench.spoil()
    let gate = try bench.type("gate", GateTests.Bench.file, "--store", "my gate.sqlite")
    let explain = #/choir-eval explain \w+ level\.change .*--store 'my gate\.sqlite'/#
    #expect(gate.output.contains(explain), "\(gate.output)")
  }

  @Test func explainTellsCellsApartBySubject() throws {
    let bench = try GateTests.Bench()
    let run = try bench.type("run", "Corpus/plans/tiny.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let found = try bench.type("explain", "a mine", "level.change", "--no-files")
    #expect(found.status == 0, "\(found.errors)")
    #expect(try bench.type("explain", "a yours", "level.change").status == 64)
  }

  @Test func aProbeThatMeasuredNothingEndsWith2() throws {
    let bench = try GateTests.Bench()
    try bench.subject("kill -SEGV $$")
    let answer = try bench.type("probe", "mine.yaml", "--only", "latency")
    #expect(answer.status == 2)
    #expect(answer.errors.contains("nothing could be measured"))
  }

  /// Nothing costs nothing, so no setting fits; but what failed might have been another answer.
  @Test(arguments: [("cp \"$1\" \"$2\"", 1), (failsOnTheLonger, 2)])
  func tuneWithFailedCellsEndsWith2(line: String, status: Int) throws {
    let bench = try GateTests.Bench()
    let plan = try bench.read("Corpus/plans/tiny.yaml")
    try bench.write(
      plan.replacing(/metrics: .*/, with: "metrics: [cpu.realtime_factor]"),
      "Corpus/plans/tiny.yaml")
    try bench.subject(line)
    let words = ["tune", "Corpus/plans/tiny.yaml", "--axes", "cost", "--budget", "cost=0"]
    for more in [[], ["--output", "mine.json"]] {
      let answer = try bench.type(words + more)
      #expect(answer.status == Int32(status), "\(answer.output)\(answer.errors)")
      #expect(answer.output.contains("No setting fits the budgets"), "\(answer.output)")
    }
  }

  private static let failsOnTheLonger =
    "if [ $(stat -c %s \"$1\") -gt 140000 ]; then exit 3; else cp \"$1\" \"$2\"; fi"
}
