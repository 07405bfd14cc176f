import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Metrics
import Platform
import Sweep

struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two sounds, two runs, two stores or two presets.",
    discussion: """
      Use it to see what a change of code or settings did, and whether it matters. The first \
      argument is the reference or baseline.

        choir-eval compare oracle.wav rendered.wav
        choir-eval compare input.wav harmony.wav --semitones 4 --json
        choir-eval compare input.wav choir.wav --intervals -5,4,9
        choir-eval compare yesterday.sqlite today.sqlite
        choir-eval compare "demo?windowMs=80" "demo?windowMs=20"
        choir-eval compare preset:octaves my-octaves.json

      Sounds are aligned first, so a delay is one of the numbers and affects no other. A difference \
      in pitch affects intelligibility.stoi, .estoi and .ncm, and timbre.mcd above 300 Hz; it does \
      not affect the .vocoded ones and intelligibility.modulation. With --intervals the second \
      sound is a choir made from the first: each voice inside it is judged, without stems.

      Runs are compared cell by cell: cells match if recording, condition, score, subject and \
      settings are the same, apart from those chosen by NAME=VALUE or named by --ignoring. \
      STORE.sqlite is the last run of a store, STORE.sqlite#NAME another one. Presets are run \
      first, each with its own voices, on the recordings of --plan.

      Exit codes: 0 compared; 1 a run or preset has a regression; 2 cells failed, or nothing could be \
      compared; 64 misuse.
      """)

  @Argument(help: "Sound file, run, store or preset.", completion: .file()) var baseline: String
  @Argument(help: "What to compare with it, of the same kind.", completion: .file())
  var candidate: String
  @OptionGroup var places: StoreOptions
  @Option(help: "Sounds: intended shift of the test above the reference; default: 0.", in: -48...48)
  var semitones: Double?
  @Option(
    help: "Sounds: intervals of the voices inside the test, such as -5,4,9.", eachIn: -48...48)
  var intervals: NumberList?
  @Flag(help: "Sounds: with --intervals, the test holds the dry voice too.") var dry = false
  @Option(help: "Sounds: known delay of the test; measured by default.", in: -10_000...10_000)
  var delayMs: Double?
  @Option(help: "Runs: comma-separated settings, or subject, to ignore when matching cells.")
  var ignoring: String?
  @Option(
    help: "Runs: comma-separated metrics to compare; default: all that have a verdict.",
    completion: .metrics)
  var metrics: String?
  @Option(help: "Presets: plan whose recordings and conditions to use.", completion: .yaml)
  var plan = "Corpus/plans/smoke.yaml"
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    guard !dry || intervals != nil else {
      throw ValidationError("--dry goes with --intervals, the intervals of the other voices.")
    }
  }

  /// Refuses ids without a verdict, once the runs and their own metrics are known.
  func requireVerdicts() throws {
    for id in chosenMetrics ?? [] {
      if let metric = Metric.metric(id: id) {
        guard metric.minimumEffect == nil || metric.loss(0) == nil else { continue }
        throw ValidationError(
          "--metrics: '\(id)' only describes and has no verdict; leave it out: choir-eval export "
            + "has its values.")
      }
      if let other = PairMetric.ofSoundsOnly.first(where: { $0.figure.id == id }) {
        throw ValidationError("--metrics: '\(id)' is for two sounds; runs have \(other.inRuns).")
      }
      throw ValidationError("--metrics: \(Metric.unknown(id)).")
    }
  }

  /// Ids of the chosen metrics; `nil` for all.
  var chosenMetrics: [String]? { metrics.map(NamedValues.list) }
  /// Metrics to read from runs: by default those that get a verdict.
  var readMetrics: [String] {
    chosenMetrics ?? Metric.all.filter { $0.minimumEffect != nil && $0.loss(0) != nil }.map(\.id)
  }
  var ignoredSettings: Set<String> { Set(ignoring.map(NamedValues.list) ?? []) }

  func run() async throws {
    let sides = (try side(baseline), try side(candidate))
    switch sides {
    case (.sound(let reference), .sound(let test)):
      try refuse(["--ignoring": ignoring, "--metrics": metrics], of: "runs")
      if let intervals {
        guard semitones == nil, delayMs == nil else {
          throw ValidationError(
            "--semitones and --delay-ms are for one voice; leave them out, or leave out --intervals."
          )
        }
        try compareChoir(recording: reference, mix: test, intervals.values)
      } else {
        try compareSounds(reference: reference, test: test)
      }
    case (.run(let before, let beforeName, let beforeChoice), .run(let after, let name, let choice)):
      try refuseOptionsOfSounds()
      // A store makes its own metrics known. A missing one is reported after a misspelt id.
      for file in [before, after] { _ = try? ResultStore(reading: file) }
      try requireVerdicts()
      let metrics = readMetrics
      // Both at once: reading takes most of the time, and each side has a connection of its own.
      let read = [
        (before, beforeName, beforeChoice, baseline), (after, name, choice, candidate),
      ].concurrentMap { file, name, choice, called in
        Result {
          try RunSide(file, named: name, choice: choice, called: called, metrics: metrics)
        }
      }
      try compareRuns(read[0].get(), read[1].get())
    case (.preset(let before), .preset(let after)):
      try refuseOptionsOfSounds()
      try await comparePresets(before, after)
    default:
      throw ValidationError(
        "'\(baseline)' is \(Self.kind(sides.0)), '\(candidate)' is \(Self.kind(sides.1)); "
          + "name two of the same kind.")
    }
  }

  /// Refuses options that would have no effect.
  private func refuse(_ options: [String: Any?], of others: String) throws {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) where value != nil {
      throw ValidationError(
        "\(name) is for \(others) only; leave it out, or compare two \(others).")
    }
  }

  private func refuseOptionsOfSounds() throws {
    try refuse(
      [
        "--semitones": semitones, "--delay-ms": delayMs, "--intervals": intervals,
        "--dry": dry ? true : nil,
      ], of: "sounds")
  }

  private func side(_ text: String) throws -> ComparedSide {
    do { return try ComparedSide(text, store: places.storeFile) } catch {
      throw error.isMisuse ? ValidationError(error.description) : error as any Error
    }
  }

  private static func kind(_ side: ComparedSide) -> String {
    switch side {
    case .sound: "a sound"
    case .run: "a run"
    case .preset: "a preset"
    }
  }
}
