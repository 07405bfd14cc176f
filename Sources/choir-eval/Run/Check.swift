import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Platform
import Probes
import Reporting
import Subjects
import Sweep

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check one harmonizer: trial, bench, a first look on voices, one table and one page.",
    discussion: """
      Use it first on your own harmonizer. It plays one tone through it, measures latency and \
      robustness on the bench, runs a small plan, and shows each headline figure beside its grade, \
      the range of published pitch shifters, and your budgets. It names the figures that are \
      missing and what your harmonizer would have to give for them. Stored cells are not measured \
      again.

        choir-eval check mine.yaml
        choir-eval check mine.yaml --budget latency=20 --budget pitchP95=25
        choir-eval check rubberband --json

      Budgets are upper limits, that of intelligibility a lower one: latency (ms), pitch and \
      pitchP95 (cents), grossErrors and missing (% of frames), formants (%), intelligibility \
      (ESTOI), tremolo (dB), clicks (count), cost (% of a core).

      Exit codes: 0 measured and within the budgets; 1 a budget is exceeded; 2 the subject can't be \
      used, a cell failed, or a budget could not be judged; 64 misuse; 130 interrupted by Ctrl-C; \
      143 terminated by SIGTERM.
      """)

  private static let defaultPlan = "Corpus/plans/check.yaml"

  @Argument(help: .subject, completion: .subjects) var subject: String
  @Option(help: "Limit of a figure, NAME=LIMIT; repeatable, or several with commas.")
  var budget: [String] = []
  @Option(help: "YAML file of the plan whose recordings and scores are used.", completion: .yaml)
  var plan = Self.defaultPlan
  @OptionGroup var place: CorpusOption
  @Option(help: "SQLite file of results. Default: Reports/check-ID.sqlite.", completion: .store)
  var store: String?
  @Option(help: "Folder of the page. Default: Reports/check-ID.", completion: .directory)
  var output: String?
  @Option(help: "Cells to compute in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws { _ = try budgets() }

  private func budgets() throws -> [CheckFigure: Double] {
    try NamedValues.amounts(budget, of: "--budget", unit: \.unit)
  }

  func run() async throws {
    let tested = try Subjects.subject(id: subject, in: place.subjects)
    for warning in tested.warnings { Terminal.printError("warning: \(warning)") }
    let facts = CheckedSubject(tested, named: subject)
    // Mistakes in files show before the bench, which takes minutes.
    let corpus = try place.read()
    let plan = try plan(for: facts)
    Terminal.stage("trying \(facts.id) on one tone")
    let (trial, seconds) = try tried(tested)
    let findings = try trial == nil ? [] : Self.bench(tested, renderSeconds: seconds)

    let file = store ?? "Reports/\(plan.name).sqlite"
    let results = try ResultStore(URL(fileURLWithPath: file))
    let sweep = try Sweep(plan, corpus: corpus, store: results)
    Terminal.progress(SweepText.size(of: sweep) + "\n")
    let outcome = try await sweep.measured(jobs: jobs)
    if outcome.end != .complete {
      Terminal.printError(SweepText.left(outcome, plan.limitSeconds))
      if let code = Interruption.shared.exitCode { throw ExitCode(code) }
    }

    let run = try results.run(named: plan.name)
    let check = try SubjectCheck(
      of: facts, trial: trial, run: run, findings: findings, budgets: budgets())
    // The page takes a while; who stops it has the answer.
    let answer = CheckText.answer(check, run)
    print(try json ? JSON.text(check, of: answer) : answer.description)
    if check.isMeasured {
      let page = try write(check, run, results, corpus, file)
      if !json { print("\nThe page, with sounds: \(page)") }
    }
    try judge(check, outcome)
  }

  /// Ends the command with the exit code of the check.
  private func judge(_ check: SubjectCheck, _ outcome: Sweep.Outcome) throws {
    Terminal.printFailures(check.failures)
    guard check.isMeasured else {
      Terminal.printError("\(check.subject.id): nothing could be measured")
      throw ExitCode(2)
    }
    for row in check.rows {
      guard let budget = row.budget, budget.outcome != .met else { continue }
      Terminal.printError(
        "budget \(row.figure.rawValue) is \(budget.words(of: row.figure))"
          + (row.value.map { "; measured \(CheckText.number($0)) \(row.unit)" } ?? ""))
    }
    if !check.figures(.exceeded).isEmpty { throw ExitCode(1) }
    if !check.failures.isEmpty || !check.figures(.unknown).isEmpty || outcome.end != .complete {
      throw ExitCode(2)
    }
  }

  // MARK: Steps

  /// Plays the test tone; returns no trial for a folder.
  ///
  /// - Throws: `ExitCode(2)` after an error if the subject can't be used.
  private func tried(_ tested: any Subject) throws -> (SubjectTrial?, seconds: Double) {
    func refuse(_ problem: String) -> ExitCode {
      Terminal.printError("\(subject) can't be used: \(problem)")
      return ExitCode(2)
    }
    if let external = tested.external {
      guard external.isInstalled else {
        throw refuse(external.absence)
      }
      guard external.file.kind != .folder else {
        guard external.hasRenderings else {
          throw refuse("no file matches its 'files'; correct the pattern")
        }
        return (nil, 0)
      }
    }
    let start = Date()
    let trial: SubjectTrial
    do { trial = try SubjectTrial(of: tested) } catch { throw refuse("\(error)") }
    if let problem = trial.problem { throw refuse(problem) }
    return (trial, Date().timeIntervalSince(start))
  }

  /// Measures on the bench what takes about ten renderings, and robustness if that is quick.
  private static func bench(_ tested: any Subject, renderSeconds: Double) throws -> [ProbeFinding] {
    Terminal.stage("measuring latency and robustness on the bench")
    let bench = try ProbeBench(tested)
    var grid = LatencyProbe.Grid()
    (grid.notesHz, grid.shiftsSemitones) = ([220], [-5, 4, 7])
    (grid.blockSizes, grid.sampleRatesHz) = ([], [44_100])
    let latency = LatencyProbe(of: bench, grid: grid).findings
    guard renderSeconds < slowRenderSeconds else { return latency }
    return try latency
      + SubjectProbe(of: bench, aspects: [.equivalence, .robustness]).findings
  }

  /// Time of one rendering above which robustness, which needs twenty, is left to `probe`.
  private static let slowRenderSeconds = 1.5

  private func plan(for facts: CheckedSubject) throws -> Plan {
    var plan = try place.plan(plan, subject: subject)
    let id = facts.id.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    plan.name = "check-" + String(id)
    plan.title = "Check of \(facts.id)"
    return plan
  }

  /// Writes the page; returns its path.
  private func write(
    _ check: SubjectCheck, _ run: StoredRun, _ store: ResultStore, _ corpus: Corpus, _ file: String
  ) throws -> String {
    Terminal.stage("writing the page")
    let words =
      ["choir-eval", "check", subject] + (plan == Self.defaultPlan ? [] : ["--plan", plan])
      + budget.flatMap { ["--budget", $0] } + (self.store.map { ["--store", $0] } ?? [])
      + place.words
    var page = try RunReport(
      of: run, in: store, corpus: corpus, command: ShellWords.line(words),
      options: ShellWords.line(["--store", file] + place.words)
    ).page()
    check.lead(&page)
    let exceeded = check.rows.filter { $0.budget?.outcome == .exceeded }
    if !exceeded.isEmpty {
      let budgets = exceeded.map { row in
        "\(row.figure.title) is \(row.value.map(CheckText.number) ?? "–") \(row.unit), "
          + row.budget!.words(of: row.figure).replacing("exceeded: ", with: "")
      }
      page.verdict = PageVerdict(.exceeded, listed(budgets) + ". " + page.verdict.sentence)
    }
    // A file may be early without being good: the headline gets no grade that the table withholds.
    if check.rows.contains(where: { $0.figure == .latency && $0.grade == nil }) {
      for place in page.headlines.indices where page.headlines[place].title.hasPrefix("latency") {
        page.headlines[place].scale = nil
      }
    }
    let folder = URL(fileURLWithPath: output ?? "Reports/\(run.plan.name)")
    try ReportWriter().write(page, to: folder)
    return "\(output ?? "Reports/\(run.plan.name)")/index.html"
  }
}
