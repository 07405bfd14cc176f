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
      It recommends the setting with the least audible total, latency and cost within the budgets, \
      never one that loses a voice which another keeps, and says what one would hear first. If no \
      one setting serves every register, it says so and recommends one for each.

        choir-eval tune Corpus/plans/demo.yaml
        choir-eval tune Corpus/plans/demo.yaml --max-latency-ms 20 \\
          --preset mine.json
        choir-eval tune Corpus/plans/demo.yaml --adaptive

      Exit codes: 0 a setting is recommended; 1 no setting fits the budgets or serves every \
      register; 2 could not measure; 64 misuse.
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
  var preset: String?
  @Flag(help: "Print the whole answer as JSON.") var json = false
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if let preset, !preset.hasSuffix(".json") {
      throw ValidationError("--preset is '\(preset)'; choose a name that ends in .json.")
    }
    if share != nil, !adaptive {
      throw ValidationError("--share goes with --adaptive; add it, or leave --share out.")
    }
    do { try goal.goal.validate() } catch { throw Misuse.of(error) }
  }

  func run() async throws {
    if let preset {
      var outputs = OutputFiles(reading: [plan, places.store], force: overwriting.force)
      for file in TunedPreset.files(for: URL(fileURLWithPath: preset)) {
        try outputs.claim(file.relativePath)
      }
    }
    var plan = try Plan(
      reading: URL(fileURLWithPath: Installation.file(plan)), corpusFolder: places.corpusFolder)
    if let subject = instead.subject { plan = plan.with(subject: subject) }
    let corpus = try Corpus(folder: places.corpusFolder)
    Terminal.stage("reading the store")
    let isReadOnly = ResultStore.isReadOnly(places.storeFile)
    let file = places.storeFile
    let store = try isReadOnly ? ResultStore(reading: file) : ResultStore(file)
    let sweep = try Sweep(plan, corpus: corpus, store: store)
    if isReadOnly { try requireStored(sweep) }
    let tuner = try Tuner(
      try goal.weighted, facts: try corpus.facts(of: sweep.plan.recordings))
    let progress = TuneProgress()
    let share = share ?? Self.defaultShare
    let answer: TuneAnswer
    let run: StoredRun
    let failed: [String]
    if adaptive {
      let search = try AdaptiveSweep(
        plan, corpus: corpus, store: store, tuner: tuner, share: share)
      let outcome = try await search.run(jobs: jobs) { progress.show($0) }
      (answer, run, failed) = (tuner.answer(for: outcome), outcome.run, outcome.failed)
    } else {
      if isReadOnly {
        failed = []
      } else {
        let outcome = try await sweep.run(jobs: jobs) { progress.show($0) }
        failed = outcome.failed
        try UnfinishedRun.refuse(outcome, of: sweep.plan)
      }
      Terminal.stage("weighing the settings")
      run = try store.run(named: plan.name, metrics: tuner.goal.metrics)
      answer = tuner.answer(for: run.cells)
    }
    print(try json ? TuneText.json(answer, run) : TuneText.text(answer, run).description)
    for failure in failed.prefix(10) { Terminal.printError(failure) }
    guard let best = answer.best else {
      Terminal.printError(
        run.cells.isEmpty
          ? "nothing was measured, so there is nothing to recommend; mend what failed and try again"
          : "no setting has a value on every axis; choose other --axes")
      throw ExitCode(2)
    }
    if let search = answer.search,
      Double(search.cells) > (share * Double(search.gridCells)).rounded(.up)
    {
      Terminal.printError(
        "\(search.cells) of \(search.gridCells) cells exceed --share \(format(share, 2)): every "
          + "setting needs one recording and the best need more; add recordings to reduce that share"
      )
    }
    if answer.axes.contains(where: { $0.metric == $0.axis.lastResort }) {
      Terminal.printError(
        "warning: the latency is read from loudness, which compressors and choruses bend; add the "
          + "recording probe-impulses to the plan for an exact one"
          + (adaptive ? ", or raise --share until it is measured" : ""))
    }
    let unheard = tuner.unheardRegisters(of: SettingChoice(answer.points[best]), in: run.cells)
    if !unheard.isEmpty {
      Terminal.printError(
        "warning: the recommended setting was measured on no voice of the plan's registers "
          + unheard.joined(separator: ", ") + "; "
          + (adaptive ? "raise --share" : "see why those cells failed"))
    }
    if answer.axes.contains(where: { $0.axis == .latency }),
      try worksOnWholeFiles(answer.points[best], in: plan, corpus)
    {
      Terminal.printError(
        "warning: \(answer.points[best].subject) processes whole files and may have removed its own "
          + "delay; its live latency may be higher")
    }
    let code: Int32 = !failed.isEmpty ? 2 : answer.recommended == nil ? 1 : 0
    guard code == 0 else {
      if preset != nil {
        Terminal.printError("no preset was written, because \(Self.reason(failed))")
      }
      throw ExitCode(code)
    }
    guard let preset else { return }
    let place = URL(fileURLWithPath: preset)
    let tuned = try TunedPreset(
      answer, place: best, name: place.deletingPathExtension().lastPathComponent, run: run,
      corpus: corpus, command: command)
    for url in try tuned.write(to: place) { Terminal.write("wrote \(url.relativePath)\n") }
    if tuned.preset == nil {
      Terminal.write(
        "wrote no preset, because '\(tuned.evidence.subject)' is no built-in live subject\n")
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
    let problem: String
    if adaptive {
      problem = "--adaptive writes each round of its search"
    } else if try sweep.isStored() {
      return
    } else {
      problem = "it lacks cells of the plan"
    }
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

  /// The command line as typed, with the program's name instead of its path.
  private var command: String {
    ShellWords.line(["choir-eval"] + CommandLine.arguments.dropFirst())
  }
}

/// The axes, scales and budgets of a recommendation, and the recordings that it covers.
struct TuneGoalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Axes to weigh, of \(TuneAxis.allCases.map(\.rawValue).joined(separator: ", "))."),
    completion: .list(TuneAxis.allCases.map(\.rawValue)))
  var axes = Self.defaultAxes
  private static let defaultAxes = TuneAxis.defaults.map(\.rawValue).joined(separator: ",")
  @Option(
    help: ArgumentHelp(
      "Amounts of each axis that count as one step, such as latency=5,pitch=10; see "
        + "docs/reference/metrics.md#audibility for the defaults."))
  var scale: String?
  @Option(
    help: "Weights of the faults by listeners, as listen pool --weights writes them.",
    completion: .json)
  var weights: String?
  @Option(
    help: "Largest share of frames in which a voice may be lost if another setting keeps it.",
    in: 0...100)
  var maxLostPercent = TuneGoal.defaultLostLimitPercent
  @Option(help: "Share of each register's recordings that the figures cover.", in: 0.5...1)
  var served = 0.9
  @Option(help: "Budget: maximum latency.", in: 0...100_000) var maxLatencyMs: Double?
  @Option(help: "Budget: maximum share of a core.", in: 0...100_000) var maxCpuPercent: Double?
  @Option(help: "Budget: maximum pitch error of the worst voice.", in: 0...100_000)
  var maxPitchErrorCents: Double?
  @Option(help: "Budget: maximum formant shift.", in: 0...100_000)
  var maxFormantShiftPercent: Double?
  @Option(help: "Budget: maximum timbre distance.", in: 0...100_000) var maxTimbreDb: Double?
  @Option(help: "Budget: minimum intelligibility (ESTOI).", in: 0...1)
  var minIntelligibility: Double?

  /// The options as typed, without those that have their default.
  var words: [String] {
    let standard = TuneGoal()
    var words = axes == Self.defaultAxes ? [] : ["--axes", axes]
    if let scale { words += ["--scale", scale] }
    if let weights { words += ["--weights", weights] }
    let numbers: [(String, Double?)] = [
      ("max-lost-percent", maxLostPercent == standard.lostLimitPercent ? nil : maxLostPercent),
      ("served", served == standard.served ? nil : served), ("max-latency-ms", maxLatencyMs),
      ("max-cpu-percent", maxCpuPercent), ("max-pitch-error-cents", maxPitchErrorCents),
      ("max-formant-shift-percent", maxFormantShiftPercent), ("max-timbre-db", maxTimbreDb),
      ("min-intelligibility", minIntelligibility),
    ]
    for (name, value) in numbers {
      if let value { words += ["--\(name)", SettingValue.number(value).description] }
    }
    return words
  }

  /// The goal with the listeners' weights.
  var weighted: TuneGoal {
    get throws {
      var goal = try goal
      goal.weights = try weights.map { try ListenerWeights(reading: URL(fileURLWithPath: $0)) }
      return goal
    }
  }

  var goal: TuneGoal {
    get throws {
      var budgets: [TuneAxis: Double] = [:]
      budgets[.latency] = maxLatencyMs
      budgets[.cost] = maxCpuPercent
      budgets[.pitch] = maxPitchErrorCents
      budgets[.formants] = maxFormantShiftPercent
      budgets[.timbre] = maxTimbreDb
      budgets[.intelligibility] = minIntelligibility
      var scales: [TuneAxis: Double] = [:]
      for part in scale?.split(separator: ",") ?? [] {
        let sides = part.split(separator: "=")
        guard sides.count == 2, let value = Double(sides[1]) else {
          throw ValidationError("--scale has '\(part)'; write it as latency=10.")
        }
        guard TuneGoal.scaleRange.contains(value) else {
          throw ValidationError("--scale has '\(part)'; choose 0.000001 to 1000000.")
        }
        scales[try Self.axis(sides[0])] = value
      }
      let chosen = try axes.split(separator: ",").map { try Self.axis($0) }
      guard !chosen.isEmpty, Set(chosen).count == chosen.count else {
        throw ValidationError("--axes is '\(axes)'; name one or more axes, each once.")
      }
      return TuneGoal(
        axes: chosen, budgets: budgets, scales: scales, served: served,
        lostLimitPercent: maxLostPercent)
    }
  }

  private static func axis(_ name: Substring) throws -> TuneAxis {
    guard let axis = TuneAxis(rawValue: name.trimmingCharacters(in: .whitespaces)) else {
      let names = TuneAxis.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--axes, --scale: there is no axis '\(name)'; choose \(names).")
    }
    return axis
  }
}

/// A progress bar for each sweep; events come from several threads, one at a time.
private final class TuneProgress: @unchecked Sendable {
  private var bar: ProgressBar?

  func show(_ event: Sweep.Event) {
    if case .rebuilt(let programs) = event {
      Terminal.progress(SweepText.rebuilt(programs) + "\n")
    } else if case .began(let total, let stored) = event {
      Terminal.progress("\(counted(total, "cell")), \(stored) stored\n")
      bar = ProgressBar(total: total - stored)
    } else if case .finished(let cell, _) = event {
      bar?.advance(to: cell.label)
    }
  }
}
