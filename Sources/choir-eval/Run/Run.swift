import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Platform
import Reporting
import Subjects
import Sweep
import Tuning

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render and measure every cell of a plan.",
    discussion: """
      Use it to measure harmonizers, settings or builds. A plan names the recordings, scores, \
      subjects and settings; Corpus/plans has examples. Each combination is a cell. Stored cells \
      are not computed again, so a run that was stopped continues where it was.

        choir-eval run Corpus/plans/demo.yaml
        choir-eval run Corpus/plans/first-look.yaml --subject mine.yaml
        choir-eval run Corpus/plans/release.yaml --shard 2/8 --store part-2.sqlite

      Ctrl-C finishes the cells in flight, names those that are left and exits with 130; press \
      again to stop immediately.

      Exit codes: 0 all cells measured, or all that the time allowed; 2 a cell failed, now or before, or nothing \
      could be measured; 64 misuse; 130 interrupted by Ctrl-C; 143 terminated by SIGTERM.
      """)

  @Argument(help: "YAML file of the plan.", completion: .yaml) var plan: String
  @OptionGroup var places: StoreOptions
  @Option(help: "Cells to compute in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @OptionGroup var instead: PlanSubject
  @Option(
    help: "Start no new cells after this many seconds; the most informative cells run first.",
    in: Bounds.seconds)
  var limitSeconds: Double?
  @Option(help: "Compute one share of the cells, such as 2/8, the second of eight; see merge.")
  var shard: String?
  @Flag(
    help: """
      Measure stored cells again, for example those that failed because the machine was out of \
      memory. Cells of another build of choir-eval are measured again without this flag.
      """)
  var anew = false
  /// Number of an inaudible change of every input, for a gate that compares with this build.
  @Option(help: .hidden) var perturbation: Int?
  @Flag(help: "Count the cells, forecast time and size, and stop.") var dryRun = false
  @Flag(help: "Print the summary as JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if let shard, Shard(shard) == nil {
      throw ValidationError(
        "--shard is '\(shard)'; write i/n, such as 2/8, from 1/n to n/n, with n up to "
          + "\(Shard.maxParts).")
    }
    if let perturbation, perturbation < 1 {
      throw ValidationError("--perturbation is \(perturbation); choose 1 or more.")
    }
  }

  func run() async throws {
    let plan = try places.place.plan(plan, subject: instead.subject)
    for score in plan.scores { Terminal.warnNotSung(score.notSung, in: "score \(score.id)") }
    let corpus = try places.place.read()
    if dryRun { return try await forecast(plan, corpus) }
    let store = try ResultStore(places.storeFile)
    var sweep = try Sweep(plan, corpus: corpus, store: store, shard: shard.flatMap { Shard($0) })
    sweep.measuresAnew = anew
    if let perturbation { try sweep.perturb(by: Perturbation(perturbation)) }
    for warning in sweep.warnings { Terminal.printError("warning: \(warning)") }
    Terminal.progress(SweepText.size(of: sweep) + "\n")
    let outcome = try await sweep.measured(jobs: jobs, limitSeconds: limitSeconds) {
      (try? store.run(named: plan.name)).flatMap { try? Self.verdict(of: $0, in: store, corpus) }
        .map { VerdictText.line($0.verdict) }
    }
    let run = try store.run(named: plan.name)
    var answer = AnswerText()
    let verdict = try Self.verdict(of: run, in: store, corpus)
    if json {
      answer.remark(VerdictText.line(verdict.verdict), verdict.coverage)
    } else {
      printPainted(VerdictText.text(verdict, ANSIStyle(file: STDOUT_FILENO)) + "\n")
    }
    RunSummaryText.write(run, to: &answer)
    answer.remark(SweepText.closing(outcome, plan, places))
    print(json ? try RunSummaryText.json(run, outcome, of: answer) : answer.description)
    for line in SweepText.notes(on: run) { Terminal.printError(line) }
    if outcome.end != .complete {
      Terminal.printError(SweepText.left(outcome, limitSeconds ?? plan.limitSeconds))
    }
    Terminal.printFailures(outcome.failed)
    if let code = Interruption.shared.exitCode, outcome.end == .stopped { throw ExitCode(code) }
    guard outcome.failed.isEmpty else { throw ExitCode(2) }
    if outcome.end == .outOfTime, outcome.computed + outcome.stored == 0 {
      throw ExitCode(2)
    }
    if outcome.end == .complete, run.heardNothing {
      let reason = run.undefinedCounts().first.map { ": \($0.reason)" } ?? ""
      Terminal.printError(
        "nothing that the plan asks for could be measured\(reason); check the subject with: "
          + "choir-eval probe \(plan.subjects[0].id.forShell)")
      throw ExitCode(2)
    }
  }

  private static func verdict(
    of run: StoredRun, in store: ResultStore, _ corpus: Corpus
  ) throws -> RunVerdict {
    RunVerdict(
      of: try Recommendation(of: run, in: store, corpus: corpus),
      undefined: run.undefinedCounts())
  }

  /// Prints the forecast and writes nothing.
  private func forecast(_ plan: Plan, _ corpus: Corpus) async throws {
    let isThere = FileManager.default.fileExists(atPath: places.storeFile.path)
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    let store =
      try isThere
      ? ResultStore(reading: places.storeFile)
      : ResultStore(scratch.file("none.sqlite"))
    var sweep = try Sweep(plan, corpus: corpus, store: store, shard: shard.flatMap { Shard($0) })
    sweep.measuresAnew = anew
    let forecast = try await sweep.forecast(jobs: jobs)
    if !json { print(SweepText.size(of: sweep)) }
    print(try json ? JSON.text(forecast) : SweepText.forecast(forecast, jobs: jobs))
  }
}
