import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Platform
import Reporting
import Subjects
import Sweep

struct GateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
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
        choir-eval gate Corpus/gates/smoke.yaml --subject mine.yaml --junit gate.xml
        choir-eval gate Corpus/gates/smoke.yaml \\
          --baseline-program released/choir-eval
        choir-eval gate Corpus/gates/smoke.yaml --calibrate 10

      Exit codes: 0 pass; 1 a regression, or a broken budget; 2 could not measure: cells failed \
      or are missing, or the baseline is not comparable; 3 inconclusive, with --strict; 64 misuse.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, junit, sarif
  }

  @OptionGroup var options: GateOptions
  @OptionGroup var cost: GateCostOptions
  @Option(
    help: ArgumentHelp(
      "Branch, tag or commit to build and compare with, in place of the baseline file.",
      valueName: "ref"))
  var against: String?
  @OptionGroup var revisions: AgainstOptions
  @Option(help: "SQLite file for the results, for explain and report.", completion: .store)
  var store = "Reports/gate.sqlite"
  @Flag(help: "Reuse stored cells whose subject and metrics have the same versions.")
  var cached = false
  @Flag(help: "Exit with 3 if a result is inconclusive.")
  var strict = false
  @Option(help: "Format to print: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = Format.text
  @Flag(help: "Print JSON; the same as --format json.") var json = false
  @Option(
    help: "File for a Markdown summary of at most 1 MiB.", completion: .file(extensions: ["md"]))
  var markdown: String?
  @Option(help: "File for JUnit XML.", completion: .file(extensions: ["xml"])) var junit: String?
  @Option(help: "File for SARIF 2.1.0.", completion: .file(extensions: ["sarif"])) var sarif:
    String?
  @Flag(help: "Print GitHub annotations, and add the summary to the job's summary.")
  var github = false
  @Option(
    help: "Another choir-eval executable to compare the subject's cost with, in alternation.",
    completion: .file())
  var baselineProgram: String?
  @Option(
    help: "Subject to compare the cost with, in alternation: an id, an engine or a .yaml file.",
    completion: .subjects)
  var baselineSubject: String?
  @Option(
    help: ArgumentHelp(
      "Measure the noise of the baseline's own program under this many inaudible changes of the input.",
      valueName: "times"), in: 2...1000)
  var calibrate: Int?
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if json, format != .text, format != .json {
      throw ValidationError(
        "--json and --format \(format.rawValue) contradict each other; keep one.")
    }
    try validateAgainst()
    try validateCalibrate()
    let others = [baselineProgram, baselineSubject].compactMap(\.self)
    if others.count > 1 {
      throw ValidationError(
        "Two baselines of cost are given; keep --baseline-program or --baseline-subject.")
    }
    if !others.isEmpty, cost.method == .off {
      throw ValidationError(
        "--cost off contradicts the cost baseline '\(others[0])'; keep one of them.")
    }
    if let baselineProgram, baselineProgram.contains("/"),
      !FileManager.default.isExecutableFile(atPath: baselineProgram)
    {
      throw ValidationError(
        "--baseline-program: '\(baselineProgram)' is no executable; check the path and its "
          + "permissions.")
    }
  }

  private func validateAgainst() throws {
    guard against != nil else {
      if let option = revisions.given.first {
        throw ValidationError("\(option) is for --against; add --against REF or remove it.")
      }
      return
    }
    let contradictions: [(String, Bool)] = [
      ("--calibrate", calibrate != nil), ("--baseline-program", baselineProgram != nil),
      ("--baseline-subject", baselineSubject != nil),
    ]
    if let other = contradictions.first(where: \.1) {
      throw ValidationError(
        "--against and \(other.0) contradict each other: --against compares sound and cost with the "
          + "other revision; keep one.")
    }
  }

  /// Refuses options that a calibration, which has no verdict, would ignore.
  private func validateCalibrate() throws {
    guard calibrate != nil else { return }
    let ignored: [(String, Bool)] = [
      ("--markdown", markdown != nil), ("--junit", junit != nil), ("--sarif", sarif != nil),
      ("--format \(format.rawValue)", format != .text && format != .json), ("--github", github),
      ("--strict", strict), ("--cached", cached), ("--baseline-program", baselineProgram != nil),
      ("--baseline-subject", baselineSubject != nil),
    ]
    if let option = ignored.first(where: \.1) {
      throw ValidationError(
        "\(option.0) is for a verdict, and --calibrate measures noise only; leave one of them out.")
    }
  }

  func run() async throws {
    try claimFiles()
    // Removes files of an earlier run, so that nobody takes them for this one's.
    for path in [markdown, junit, sarif].compactMap(\.self) where FileKind(of: path) == .file {
      try? FileManager.default.removeItem(atPath: path)
    }
    do {
      let gate = try options.read()
      if let calibrate { return try await self.calibrate(gate, times: calibrate) }
      var result =
        if let against { try await judge(gate, against: against) } else { try await judge(gate) }
      result.options = Array((options.words + cost.words).dropFirst())
      try show(result)
      let outcome = result.outcome(strict: strict)
      if outcome != .pass { throw ExitCode(outcome.exitCode) }
    } catch let error where github && !(error is ExitCode) {
      annotate(GateAnnotations.error("choir-eval gate: \(error)"))
      throw error
    }
  }

  private func judge(_ gate: Gate) async throws -> GateResult {
    guard let baseline = try gate.readBaseline() else {
      throw GateError.noBaseline(
        path: gate.baselineFile.relativeToHere, gate: acceptWords)
    }
    let noise = try gate.readNoise(of: baseline)
    let accepted = gate.bench ? try gate.readBench(of: baseline) : nil
    let run = try options.run(of: gate)
    // Reports a wrong baseline before a minute of work.
    let costs = try costComparison(gate, run, baseline)
    let measured = try await Interruption.measuring { stop, report in
      try await run.measure(
        into: ResultStore(URL(fileURLWithPath: store)), anew: !cached, stop: stop, report: report)
    }
    let judge = GateJudge(
      gate, baseline: baseline, noise: noise,
      explainOptions: ShellWords.line(
        ["--run", run.plan.name, "--store", store] + options.corpusOptions),
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
    var result = try judge.result(of: measured, takes: takes, costs: costs(), bench: bench)
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
      throw GateError.random(figures: differing, gate: acceptWords)
    }
  }

  private func judge(_ gate: Gate, against name: String) async throws -> GateResult {
    let run = try options.run(of: gate)
    let both = try GateAgainst(
      revisions.reference(name, of: gate, for: run), run: run, builds: revisions.buildsFolder)
    let measured = try await Interruption.measuring { stop, report in
      try await both.measure(
        into: ResultStore(URL(fileURLWithPath: store)), anew: !cached, stop: stop,
        say: { Terminal.stage($0) }, report: report)
    }
    let noise = try await Interruption.measuring { stop, report in
      try await both.noise(
        of: measured, stop: stop, say: { Terminal.stage($0) }, report: report)
    }
    let takes = try await run.takes((0..<(noise?.perturbations ?? 0)).map { Perturbation($0 + 1) })
    let costs = try costFindings(both, measured, gate)
    var result = try both.result(
      of: measured, takes: takes, noise: noise,
      explainOptions: ShellWords.line(
        ["--run", run.plan.name, "--store", store] + options.corpusOptions), costs: costs,
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
      try both.costFindings(
        measured, by: cost.method?.measure, options: options.corpusOptions
      ) { Terminal.progress("\($0)\n") }
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
  private var acceptWords: String { ShellWords.line(options.words + cost.words) }

  /// The comparison of cost, to run when the cells are measured and the machine is idle again.
  private func costComparison(
    _ gate: Gate, _ run: GateRun, _ baseline: Baseline
  ) throws -> () -> [CostFinding] {
    let other: GateCostRun.Reference
    if let baselineProgram, let id = run.plan.subjects.first?.id {
      other = .side(
        ProgramSide(baselineProgram, running: id, in: run.corpus.folder),
        option: "--baseline-program \(baselineProgram.forShell)")
    } else if let baselineSubject {
      other = .side(
        try SubjectSide(baselineSubject, in: run.corpus.folder),
        option: "--baseline-subject \(baselineSubject.forShell)")
    } else if cost.isCompared(in: gate) {
      other = .kept(baseline.costs, file: gate.baselineFile.relativeToHere)
    } else {
      return { [] }
    }
    let costs = try cost.run(of: run, apart: baselineProgram != nil, options: options)
    return { costs.findings(against: other) { Terminal.progress("\($0)\n") } }
  }

  // MARK: - Calibration

  private func calibrate(_ gate: Gate, times: Int) async throws {
    guard let baseline = try gate.readBaseline() else {
      throw GateError.noBaseline(path: gate.baselineFile.relativeToHere, gate: acceptWords)
    }
    let run = try options.run(of: gate)
    Terminal.progress("the unperturbed take\n")
    let first = try await Interruption.measuring { stop, report in
      try await run.measureOnce(stop: stop, report: report)
    }
    try baseline.requireOwn(first, gate: gate)
    let takes = try await run.takes((1...times).map(Perturbation.init))
    let calibration = try GateCalibration([first] + takes, gate: gate)
    // A subject that repeats its baseline is deterministic.
    let noise = GateNoise(
      takes, of: gate.comparedMetrics, differingFigures: 0, alarms: calibration.lines)
    try baseline.write(to: gate.baselineFile, noise: noise)
    print(
      (json || format == .json)
        ? try JSON.text(calibration)
        : GateText.text(calibration, file: gate.noiseFile.relativeToHere))
  }
}
