import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Platform
import Subjects
import Sweep
import Tuning

struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a plan and recommend one of its settings.",
    discussion: """
      Use it to choose default settings. It computes the missing cells of the plan as `run` does. \
      Each fault counts in just-noticeable differences, in the worst voice of the worst register. \
      The total adds latency and cost. Of the settings within the budgets that lose no voice which \
      another keeps, it recommends the first of the plan that is less than one step behind the \
      lowest total, or less than a third of its audible total where other recordings could turn that round, and says what one would hear first. If no one setting serves every register, \
      it says so and recommends one for each.

        choir-eval tune Corpus/plans/demo.yaml
        choir-eval tune Corpus/plans/demo.yaml --budget latency=20 --output mine.json
        choir-eval tune Corpus/plans/demo.yaml --adaptive

      Exit codes: 0 a setting is recommended; 1 no setting fits the budgets or serves every \
      register; 2 could not measure; 64 misuse; 130 interrupted by Ctrl-C.
      """)

  @Argument(help: "YAML file of the plan.", completion: .yaml) var plan: String
  @OptionGroup var places: StoreOptions
  @OptionGroup var instead: PlanSubject
  @OptionGroup var goal: TuneGoalOptions
  @Option(help: "Cells to compute in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  private static let defaultShare = 0.25
  @Flag(help: "Drop poor settings after few recordings, to save time.") var adaptive = false
  @Option(
    help: ArgumentHelp(
      "With --adaptive: largest share of the full grid's cells to compute; default: \(defaultShare)."
    ),
    in: 0.001...1)
  var share: Double?
  @Option(
    help: "File for the recommended settings; the evidence is written beside it.",
    completion: .json)
  var output: String?
  @Flag(help: "Print the whole answer as JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  /// The answer with what it rests on.
  private struct Tuned {
    var answer: TuneAnswer
    var run: StoredRun
    var failed: [String]
  }

  private var usedShare: Double { share ?? Self.defaultShare }

  func validate() throws {
    if let output, !output.hasSuffix(".json") {
      throw ValidationError("--output is '\(output)'; choose a name that ends in .json.")
    }
    if share != nil, !adaptive {
      throw ValidationError("--share goes with --adaptive; add it, or leave --share out.")
    }
  }

  func run() async throws {
    if let output {
      var outputs = OutputFiles(reading: [plan, places.store], force: overwriting.force)
      for file in TunedPreset.files(for: URL(fileURLWithPath: output)) {
        try outputs.claim(file.relativePath)
      }
    }
    let plan = try places.place.plan(plan, subject: instead.subject)
    let corpus = try places.place.read()
    let tuner = try Tuner(
      try goal.goal, facts: try corpus.facts(of: plan.resolved(in: corpus).recordings))
    let tuned = try await tuned(plan, corpus, tuner)
    let (answer, run) = (tuned.answer, tuned.run)
    print(try json ? TuneText.json(answer, run) : TuneText.text(answer, run).description)
    Terminal.printFailures(tuned.failed)
    guard let best = answer.best else {
      Terminal.printError(
        run.cells.isEmpty
          ? "nothing was measured, so there is nothing to recommend; mend what failed and try again"
          : "no setting has a value on every axis; choose other --axes")
      throw ExitCode(2)
    }
    for line in try warnings(tuned, answer.points[best], plan, corpus, tuner) {
      Terminal.printError(line)
    }
    let code: Int32 = !tuned.failed.isEmpty ? 2 : answer.recommended == nil ? 1 : 0
    guard code == 0 else {
      if output != nil {
        Terminal.printError("no preset was written, because \(Self.reason(tuned.failed))")
      }
      throw ExitCode(code)
    }
    if let output { try write(tuned, best, to: output, corpus) }
  }

  private func tuned(_ plan: Plan, _ corpus: Corpus, _ tuner: Tuner) async throws -> Tuned {
    Terminal.stage("reading the store")
    let (file, isReadOnly) = (places.storeFile, ResultStore.isReadOnly(places.storeFile))
    let store = try isReadOnly ? ResultStore(reading: file) : ResultStore(file)
    let sweep = try Sweep(plan, corpus: corpus, store: store)
    if isReadOnly { try requireStored(sweep) }
    if adaptive {
      let search = try AdaptiveSweep(
        plan, corpus: corpus, store: store, tuner: tuner, share: usedShare)
      let progress = SweepProgress()
      defer { progress.end() }
      let outcome = try await search.run(jobs: jobs) { progress.show($0) }
      return Tuned(answer: tuner.answer(for: outcome), run: outcome.run, failed: outcome.failed)
    }
    var failed: [String] = []
    if !isReadOnly {
      let outcome = try await sweep.completed(jobs: jobs)
      failed = outcome.failed
      try UnfinishedRun.refuse(outcome, of: sweep.plan)
    }
    Terminal.stage("weighing the settings")
    let run = try store.run(named: plan.name, metrics: tuner.goal.metrics)
    return Tuned(answer: tuner.answer(for: run.cells), run: run, failed: failed)
  }

  /// Remarks on how far the recommendation can be trusted.
  private func warnings(
    _ tuned: Tuned, _ point: TuneAnswer.Point, _ plan: Plan, _ corpus: Corpus, _ tuner: Tuner
  ) throws -> [String] {
    let answer = tuned.answer
    var lines: [String] = []
    if let search = answer.search,
      Double(search.cells) > (usedShare * Double(search.gridCells)).rounded(.up)
    {
      lines.append(
        "\(search.cells) of \(search.gridCells) cells exceed --share \(format(usedShare, 2)): every "
          + "setting needs one recording and the best need more; add recordings to reduce that share"
      )
    }
    let unheard = tuner.unheardRegisters(of: SettingChoice(point), in: tuned.run.cells)
    if !unheard.isEmpty {
      lines.append(
        "warning: the recommended setting was measured on no voice of the plan's registers "
          + unheard.joined(separator: ", ") + "; "
          + (adaptive ? "raise --share" : "see why those cells failed"))
    }
    if answer.axes.contains(where: { $0.axis == .latency }),
      try worksOnWholeFiles(point, in: plan, corpus)
    {
      lines.append(
        "warning: \(point.subject) processes whole files and may have removed its own "
          + "delay; its live latency may be higher")
    }
    return lines
  }

  private func write(_ tuned: Tuned, _ best: Int, to output: String, _ corpus: Corpus) throws {
    let place = URL(fileURLWithPath: output)
    // The command line as typed, with the program's name instead of its path.
    let command = ShellWords.line(["choir-eval"] + CommandLine.arguments.dropFirst())
    let preset = try TunedPreset(
      tuned.answer, place: best, name: place.deletingPathExtension().lastPathComponent,
      run: tuned.run, corpus: corpus, command: command)
    for url in try preset.write(to: place) { Terminal.write("wrote \(url.relativePath)\n") }
    if preset.preset == nil {
      Terminal.write(
        "wrote no preset, because '\(preset.evidence.subject)' is no built-in live subject\n")
    }
  }

  private static func reason(_ failed: [String]) -> String {
    failed.isEmpty
      ? "no setting fits the budgets and serves every register; relax a budget, try other settings, "
        + "or tune a plan with the recordings of one register"
      : "\(counted(failed.count, "cell")) failed; mend the cause, or leave the settings that fail out "
        + "of the plan"
  }

  /// Refuses a store that can't be written, unless it has all that the plan asks for.
  private func requireStored(_ sweep: Sweep) throws {
    if !adaptive, try sweep.isStored() { return }
    let problem =
      adaptive ? "--adaptive writes each round of its search" : "it lacks cells of the plan"
    throw StoreError.unusable(
      path: places.storeFile.path,
      problem: "can't be written, and \(problem); copy it to a folder that can be written, and "
        + "name the copy with --store")
  }

  private func worksOnWholeFiles(
    _ point: TuneAnswer.Point, in plan: Plan, _ corpus: Corpus
  ) throws -> Bool {
    let subject = try plan.subjects(in: corpus).first { $0.id == point.subject }
    guard let program = subject?.external else { return SettingChoice(point).isOffline }
    return !program.capabilities.contains("realtimeBlocks")
  }
}
