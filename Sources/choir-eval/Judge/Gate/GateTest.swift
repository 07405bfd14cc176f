import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Platform
import Reporting
import Subjects
import Sweep

struct GateTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Test a subject against its reviewed baseline, or another revision, and budgets.",
    discussion: """
      Use it before a release, or in CI, to find regressions. It measures every cell of the gate's \
      plan, compares it with the baseline cell by cell, and reports what got worse by more than the \
      minimum effect and more than chance explains, with a command that explains it. It also \
      reports missing cells. docs/guides/ci.md has a worked example.

      --against builds another revision of the subject's git repository by the gate's 'build' and \
      compares with that: no baseline file is needed.

        choir-eval gate Corpus/gates/smoke.yaml
        choir-eval gate mine/gate.yaml --against main
        choir-eval gate Corpus/gates/smoke.yaml --subject mine.yaml --output gate.xml
        choir-eval gate Corpus/gates/smoke.yaml --baseline released/choir-eval

      Exit codes: 0 pass; 1 a regression, or a broken budget; 2 could not measure: cells failed \
      or are missing, or the baseline is not comparable; 3 inconclusive, with --strict; 64 misuse.
      """)

  @OptionGroup var options: GateOptions
  @OptionGroup var cost: GateCostOptions
  @Option(
    help: ArgumentHelp(
      "Branch, tag or commit to build and compare with, in place of the baseline file.",
      valueName: "ref"))
  var against: String?
  @OptionGroup var revisions: AgainstOptions
  @Option(help: "SQLite file for the results, for explain and report.", completion: .store)
  var store = Self.defaultStore
  private static let defaultStore = "Reports/gate.sqlite"
  @Flag(help: "Reuse stored cells whose subject and metrics have the same versions.")
  var cached = false
  @Flag(help: "Exit with 3 if a result is inconclusive.")
  var strict = false
  @OptionGroup var outputs: GateOutputs
  @Option(
    help: """
      What to compare the subject's cost with, in alternation: another choir-eval program, by a path, or \
      a subject: an id, an engine or a .yaml file.
      """, completion: .subjects)
  var baseline: String?
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if against == nil, let option = revisions.given.first {
      throw ValidationError("\(option) is for --against; add --against REF or remove it.")
    }
    if against != nil, baseline != nil {
      throw ValidationError(
        "--against and --baseline contradict each other: --against compares sound and cost with the "
          + "other revision; keep one.")
    }
    if let baseline, cost.method == .off {
      throw ValidationError(
        "--cost off contradicts the cost baseline '\(baseline)'; keep one of them.")
    }
    if let baseline, BaselineSide.isProgram(baseline),
      !FileManager.default.isExecutableFile(atPath: baseline)
    {
      throw ValidationError(
        "--baseline: '\(baseline)' is no executable; check the path and its permissions.")
    }
  }

  func run() async throws {
    let files = try? options.read()
    try outputs.claim(reading: [
      options.gate, files?.baselineFile.path, files?.noiseFile.path, files?.benchFile.path,
      options.subject, baseline, store,
    ])
    do {
      let gate = try options.read()
      var result =
        if let against { try await judge(gate, against: against) } else { try await judge(gate) }
      result.options =
        (options.words + cost.words).dropFirst()
        + (store == Self.defaultStore ? [] : ["--store", store])
      result.commit = try options.run(of: gate).commit
      try outputs.show(result, strict: strict, sounds: sounds(of: gate))
      let outcome = result.outcome(strict: strict)
      if outcome != .pass { throw ExitCode(outcome.exitCode) }
    } catch let error where outputs.printed == .github && !(error is ExitCode) {
      print(GateAnnotations.error("choir-eval gate: \(error)"))
      throw error
    }
  }

  /// The measured cells, for the page.
  private func sounds(of gate: Gate) throws -> GateSounds {
    let (store, run) = (
      try ResultStore(reading: URL(fileURLWithPath: store)), try options.run(of: gate)
    )
    return GateSounds(try store.run(named: run.plan.name), in: store, corpus: run.corpus)
  }

  private func judge(_ gate: Gate) async throws -> GateResult {
    guard let baseline = try gate.readBaseline() else {
      throw Refusal(
        "the baseline \(gate.baselineFile.relativeToHere) does not exist; create it: choir-eval "
          + "accept \(acceptWords) --reason \"first baseline\"")
    }
    let noise = try gate.readNoise(of: baseline)
    let accepted = gate.bench ? try gate.readBench(of: baseline) : nil
    let run = try options.run(of: gate)
    // Reports a wrong baseline before a minute of work.
    let costs = try costComparison(run)
    let measured = try await Interruption.measuring { stop, report in
      try await run.measure(
        into: ResultStore(URL(fileURLWithPath: store)), anew: !cached, stop: stop, report: report)
    }
    let judge = GateJudge(
      gate, baseline: baseline, noise: noise,
      explainOptions: ShellWords.line(
        ["--run", run.plan.name, "--store", store] + options.place.words),
      acceptCommand: "choir-eval accept \(acceptWords) --reason \"…\"")
    if noise == nil, try judge.looksWorse(measured) {
      try await refuseRandom(measured, run, gate)
    }
    let takes = try await run.takes(try judge.perturbations(for: measured))
    var bench: (GateBench, GateBench?)?
    if gate.bench {
      Terminal.stage("bench: sounds that are no voice")
      bench = (try run.bench(), accepted)
    }
    let found = costs()
    var result = try judge.result(of: measured, takes: takes, costs: found, bench: bench)
    if found.isEmpty, cost.method != .off {
      result.findings.append(
        GateFinding(
          .note, "cost",
          "is not compared; give --baseline PROGRAM, or --against REF"))
    }
    try result.locateEvents(
      in: ResultStore(reading: URL(fileURLWithPath: store)).run(named: run.plan.name),
      corpus: run.corpus)
    return result
  }

  /// Refuses to blame a subject whose runs always differ, if nobody measured by how much.
  private func refuseRandom(_ first: MeasuredRun, _ run: GateRun, _ gate: Gate) async throws {
    Terminal.progress("worse; measuring once more, in case the subject is random\n")
    let second = try await Interruption.measuring { stop, report in
      try await run.measureOnce(stop: stop, report: report)
    }
    let differing = try Acceptance.differingFigures(first, second, gate: gate)
    guard differing == 0 else {
      throw Refusal(
        "the subject is random: \(differing) figures differ between two equal runs, and the noise "
          + "of the baseline is not known; measure it: choir-eval accept \(acceptWords) --all "
          + "--reason \"its noise\""
      )
    }
  }

  private func judge(_ gate: Gate, against name: String) async throws -> GateResult {
    let run = try options.run(of: gate)
    let both = try GateAgainst(
      revisions.reference(name, of: gate, for: run), run: run, builds: revisions.older.buildsFolder)
    let measured = try await Interruption.measuring { stop, report in
      try await both.measure(
        into: ResultStore(URL(fileURLWithPath: store)), anew: !cached, stop: stop,
        say: { Terminal.stage($0) }, report: report)
    }
    let noise = try await Interruption.measuring { stop, report in
      try await both.noise(of: measured, stop: stop, say: { Terminal.stage($0) }, report: report)
    }
    let takes = try await run.takes((0..<(noise?.perturbations ?? 0)).map { Perturbation($0 + 1) })
    let costs = try costFindings(both, measured, gate)
    var result = try both.result(
      of: measured, takes: takes, noise: noise,
      explainOptions: ShellWords.line(
        ["--run", run.plan.name, "--store", store] + options.place.words), costs: costs,
      benches: gate.bench && !measured.isSameProgram ? both.benches(of: measured) : nil)
    try result.locateEvents(
      in: ResultStore(reading: URL(fileURLWithPath: store)).run(named: run.plan.name),
      corpus: run.corpus)
    return result
  }

  /// Compares the cost of both builds by turns; where nobody asked for it, as far as it can be timed.
  private func costFindings(
    _ both: GateAgainst, _ measured: GateAgainst.Measured, _ gate: Gate
  ) throws -> [CostFinding] {
    func compared() throws -> [CostFinding] {
      try both.costFindings(measured, options: options.place.words) { Terminal.progress("\($0)\n") }
    }
    if cost.isCompared(in: gate) { return try compared() }
    // The same program costs the same.
    guard cost.method != .off, !measured.isSameProgram else { return [] }
    do { return try compared().filter { $0.problem == nil } } catch {
      Terminal.progress("cost is not compared: \(error)\n")
      return []
    }
  }

  /// The gate and all options given, as arguments of `accept`.
  private var acceptWords: String { ShellWords.line(options.words) }

  /// The comparison of cost, to run when the cells are measured and the machine is idle again.
  private func costComparison(_ run: GateRun) throws -> () -> [CostFinding] {
    guard let baseline, let id = run.plan.subjects.first?.id else { return { [] } }
    let side = try BaselineSide.side(baseline, running: id, in: run.corpus.folder)
    let costs = try run.costRun(
      apart: BaselineSide.isProgram(baseline), options: options.place.words)
    return {
      costs.findings(against: side, option: "--baseline \(baseline.forShell)") {
        Terminal.progress("\($0)\n")
      }
    }
  }
}
