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
      pitchP95 (cents), grossErrors and missing (share of frames), formants (%), intelligibility \
      (ESTOI), tremolo (dB), clicks (count), cost (share of real time).

      Exit codes: 0 measured and within the budgets; 1 a budget is exceeded; 2 the subject can't be \
      used, a cell failed, or a budget could not be judged; 64 misuse; 130 interrupted by Ctrl-C; \
      143 terminated by SIGTERM.
      """)

  @Argument(help: .subject, completion: .subjects) var subject: String
  @Option(help: "Limit of a figure, NAME=LIMIT; repeatable, or several with commas.")
  var budget: [String] = []
  @Option(help: "YAML file of the plan whose recordings and scores are used.", completion: .yaml)
  var plan = "Corpus/plans/check.yaml"
  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  var corpus = Installation.corpus
  @Option(
    help: "SQLite file of results. Default: Reports/check-ID.sqlite.", completion: .store)
  var store: String?
  @Option(help: "Folder of the page. Default: Reports/check-ID.", completion: .directory)
  var output: String?
  @Option(help: "Cells to compute in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws { _ = try Self.budgets(budget) }

  func run() async throws {
    let corpusFolder = URL(fileURLWithPath: corpus)
    let tested = try Subjects.subject(
      id: subject, in: corpusFolder.appendingPathComponent("subjects"))
    for warning in tested.warnings { Terminal.printError("warning: \(warning)") }
    let facts = CheckedSubject(tested, named: subject)
    Terminal.stage("trying \(facts.id) on one tone")
    let (trial, seconds) = try tried(tested)
    let findings = try trial == nil ? [] : Self.bench(tested, renderSeconds: seconds)

    let corpus = try Corpus(folder: corpusFolder)
    let plan = try plan(for: facts, corpusFolder)
    let file = store ?? "Reports/\(plan.name).sqlite"
    let results = try ResultStore(URL(fileURLWithPath: file))
    let sweep = try Sweep(plan, corpus: corpus, store: results)
    Terminal.progress(SweepText.size(of: sweep) + "\n")
    let interruption = Interruption.shared
    let progress = SweepProgress()
    let outcome = try await interruption.watching {
      try await sweep.run(jobs: jobs, stop: interruption.stop) { progress.show($0) }
    }
    progress.end()
    if outcome.end != .complete {
      Terminal.printError(SweepText.left(outcome, plan.limitSeconds))
      if let code = interruption.exitCode { throw ExitCode(code) }
    }

    let run = try results.run(named: plan.name)
    let check = try SubjectCheck(
      of: facts, trial: trial, run: run, findings: findings, budgets: Self.budgets(budget))
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
    for failure in check.failures.prefix(10) { Terminal.printError(failure) }
    if check.failures.count > 10 {
      Terminal.printError("and \(check.failures.count - 10) more")
    }
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
    return try latency + SubjectProbe(of: bench, aspects: [.robustness], itself: []).findings
  }

  /// Time of one rendering above which robustness, which needs twenty, is left to `probe`.
  private static let slowRenderSeconds = 1.5

  private func plan(for facts: CheckedSubject, _ corpusFolder: URL) throws -> Plan {
    var plan = try Plan(
      reading: URL(fileURLWithPath: Installation.file(plan)), corpusFolder: corpusFolder
    ).with(subject: subject)
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
      ["choir-eval", "check", subject] + budget.flatMap { ["--budget", $0] }
      + (self.store.map { ["--store", $0] } ?? []) + StoreOptions.words(corpus: self.corpus)
    var page = try RunReport(
      of: run, in: store, corpus: corpus, command: ShellWords.line(words),
      options: ShellWords.line(["--store", file] + StoreOptions.words(corpus: self.corpus))
    ).page()
    page.sections.insert(check.section(), at: 0)
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

  // MARK: Budgets

  /// Reads budgets from words `NAME=LIMIT`, each name once.
  static func budgets(_ words: [String]) throws -> [CheckFigure: Double] {
    var budgets: [CheckFigure: Double] = [:]
    for word in words.flatMap({ $0.split(separator: ",") }) {
      let sides = word.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw ValidationError("--budget is '\(word)'; write NAME=LIMIT, such as latency=20.")
      }
      guard let figure = CheckFigure(rawValue: String(sides[0])) else {
        let names = CheckFigure.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--budget has no figure '\(sides[0])'; choose among \(names).")
      }
      guard let limit = Double(String(sides[1])), limit.isFinite, limit >= 0 else {
        throw ValidationError(
          "--budget \(figure.rawValue) is '\(sides[1])'; write a number from 0 (\(figure.unit)).")
      }
      guard budgets.updateValue(limit, forKey: figure) == nil else {
        throw ValidationError("--budget names \(figure.rawValue) twice; give one limit.")
      }
    }
    return budgets
  }
}
