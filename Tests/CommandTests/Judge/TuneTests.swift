import Foundation
import Testing

/// `choir-eval tune` as a script sees it: exit codes, and what is written when.
@Suite struct TuneTests {
  private static let plan = "Corpus/plans/tiny.yaml"

  /// A bench whose subject copies its input, with a setting that the program ignores, and one that it
  /// fails with.
  private func bench(_ line: String = "cp \"$1\" \"$2\"", values: String = "[a, b]") throws
    -> GateTests.Bench
  {
    let bench = try GateTests.Bench()
    try bench.write(
      """
      id: mine
      kind: command
      command: [sh, -c, '\(line)', sh, "{input}", "{output}", "{semitones}", "{mode}"]
      settings: {mode: a}
      """, "mine.yaml")
    let plan = try bench.read(Self.plan)
    try bench.write(
      plan.replacing(
        /metrics: .*/,
        with: "settings: {mode: \(values)}\nmetrics: [pitch, timbre, voices, cpu.realtime_factor]"),
      Self.plan)
    return bench
  }

  private let axes = ["--axes", "missing,gross,pitch,tilt"]

  /// A setting that fails on one sound ends the command with 2, before a preset is written.
  @Test func aPresetIsNotWrittenBesideFailures() throws {
    let bench = try bench("[ $4 = b ] && exit 3; cp \"$1\" \"$2\"")
    let answer = try bench.type(["tune", Self.plan, "--output", "p.json"] + axes)
    #expect(answer.status == 2, "\(answer.output)\(answer.errors)")
    #expect(answer.errors.contains("no preset was written, because 2 cells failed; mend the cause"))
    #expect(try files(bench).allSatisfy { !$0.hasPrefix("p.") })
  }

  /// A program says on standard error that it ignores an option, beside a progress bar, in each of its
  /// four calls.
  @Test func whatAProgramSaysIsShownOnce() throws {
    let bench = try bench(
      "printf \"10 %%\\\\r20 %%\\\\nmode is ignored\\\\n\" >&2; cp \"$1\" \"$2\"")
    let answer = try bench.type(["tune", Self.plan] + axes)
    #expect(
      answer.errors.contains(
        "mine wrote to standard error, which is shown once:\n  mode is ignored\n"),
      "\(answer.errors)")
    #expect(answer.errors.components(separatedBy: "mode is ignored").count == 2)
  }

  /// Settings that were measured on different recordings are not compared.
  @Test func aPlanThatRanOutOfTimeRecommendsNothing() throws {
    let bench = try bench()
    try bench.write(try bench.read(Self.plan) + "\nlimitSeconds: 0.001\n", Self.plan)
    for more in [[], ["--json"], ["--adaptive"]] {
      let answer = try bench.type(["tune", Self.plan, "--output", "p.json"] + axes + more)
      #expect(answer.status == 2, "\(answer.errors)")
      #expect(answer.output.isEmpty)
      #expect(answer.errors.contains("the limit of 0.001 s ended the run with "))
      #expect(answer.errors.contains("raise limitSeconds"))
    }
    #expect(try files(bench).allSatisfy { !$0.hasPrefix("p.") })
  }

  /// The program ignores its mode, so that all modes are one setting, the first of the plan.
  @Test func settingsWithTheSameOutputAreOne() throws {
    // A copy has no error at all, by which equal sounds could be recognized; this one is duller.
    let bench = try bench(
      "\(Built.choir.path) effects \"$1\" \"$2\" "
        + "--chain \"eq(lowShelfHz=1000,lowShelfDb=9)\" >&2", values: "[c, a, b]")
    let answer = try bench.type(["tune", Self.plan, "--output", "p.json"] + axes)
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output.contains("Recommended: mode=c"), "\(answer.output)")
    #expect(
      answer.output.contains(
        "One setting, because every figure of their sounds is equal to the last bit: mode=c, mode=a and mode=b."
      ), "\(answer.output)")
    #expect(answer.output.contains("The program ignores mode: its values give the same sound"))
    // A program has no preset: the evidence alone is written.
    #expect(try files(bench).filter { $0.hasPrefix("p.") } == ["p.evidence.json"])
  }

  /// A figure of the page and of `tune` is the same setting under the same budget.
  @Test func reportRecommendsWhatTuneDoes() throws {
    let bench = try bench()
    let budget = ["--budget", "cost=9000"]
    #expect(try bench.type(["tune", Self.plan] + axes + budget).status == 0)
    let page = try bench.type(["report", "--format", "markdown"] + axes + budget)
    #expect(page.status == 0, "\(page.errors)")
    #expect(
      page.output.contains("within the budgets (cost at most 9000 %): mode a"), "\(page.output)")
    #expect(page.output.contains("--budget cost=9000"))
    #expect(try bench.type("report", "--budget", "cost=-1").status == 64)
  }

  private func files(_ bench: GateTests.Bench) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).sorted()
  }
}
