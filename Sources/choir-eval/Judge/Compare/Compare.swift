import ArgumentParser
import Evaluation
import Foundation

struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Two sounds, two runs, two stores or two presets: what differs, and whether it matters.",
    discussion: """
      The first is the reference or baseline.

        choir-eval compare oracle.wav rendered.wav
        choir-eval compare input.wav harmony.wav --semitones 4 --json
        choir-eval compare yesterday.sqlite today.sqlite
        choir-eval compare "demo?windowMs=80" "demo?windowMs=20"
        choir-eval compare preset:octaves my-octaves.json

      Sounds are aligned first, so a delay is one of the numbers and spoils no other. A sound of
      another pitch has its own share in intelligibility.stoi, .estoi and .ncm, and above 300 Hz in
      timbre.mcd; the .vocoded ones and intelligibility.modulation don't mind.

      Runs are compared cell by cell: the same recording, condition, score, subject and settings, but
      for what NAME=VALUE chose on either side or --ignoring names. STORE.sqlite is its last run,
      STORE.sqlite#NAME another. Presets are run first, each with its own voices, on the recordings
      of --plan.

      Exit codes: 0 compared, whatever came out (the gate judges); 2 could not be compared; 64 misuse.
      """)

  @Argument(help: "Sound file, run, store or preset.", completion: .file()) var baseline: String
  @Argument(help: "Another of the same kind.", completion: .file()) var candidate: String
  @OptionGroup var places: StoreOptions
  @Option(
    help: "Sounds: how far above the reference the test was to be; 0 unless given.", in: -48...48)
  var semitones: Double?
  @Option(
    help: "Sounds: how much later the test is, where that is known; measured otherwise.",
    in: -10_000...10_000)
  var delayMs: Double?
  @Option(help: "Runs: settings by which cells are not told apart, joined by commas; also subject.")
  var ignoring: String?
  @Option(
    help: "Runs: metrics to compare, joined by commas; all that matter unless given.",
    completion: .metrics)
  var metrics: String?
  @Option(help: "Presets: whose recordings and conditions to play them on.", completion: .yaml)
  var plan = "Corpus/plans/smoke.yaml"
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    for id in chosenMetrics ?? [] {
      if let metric = Metric.metric(id: id) {
        guard metric.minimumEffect == nil || metric.loss(0) == nil else { continue }
        throw ValidationError(
          "'\(id)' only describes: no value of it is better, so it has no verdict; "
            + "choir-eval export has its values.")
      }
      if let other = PairMetric.ofSoundsOnly.first(where: { $0.figure.id == id }) {
        throw ValidationError("'\(id)' is of two sounds; runs have \(other.inRuns).")
      }
      throw ValidationError("There is no metric '\(id)'; choir-eval metrics lists them.")
    }
  }

  /// By id; `nil`: all.
  var chosenMetrics: [String]? { metrics.map(Self.list) }
  /// Of runs, those that get a verdict.
  var readMetrics: [String] {
    chosenMetrics ?? Metric.all.filter { $0.minimumEffect != nil && $0.loss(0) != nil }.map(\.id)
  }
  var ignoredSettings: Set<String> { Set(ignoring.map(Self.list) ?? []) }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  func run() async throws {
    let sides = (try side(baseline), try side(candidate))
    switch sides {
    case (.sound(let reference), .sound(let test)):
      try refuse(["--ignoring": ignoring, "--metrics": metrics], of: "runs")
      try compareSounds(reference: reference, test: test)
    case (.run(let before, let beforeName, let beforeChoice), .run(let after, let name, let choice)):
      try refuseOptionsOfSounds()
      try compareRuns(
        RunSide(
          before, named: beforeName, choice: beforeChoice, called: baseline, metrics: readMetrics),
        RunSide(after, named: name, choice: choice, called: candidate, metrics: readMetrics))
    case (.preset(let before), .preset(let after)):
      try refuseOptionsOfSounds()
      try await comparePresets(before, after)
    default:
      throw ValidationError(
        "'\(baseline)' is \(Self.kind(sides.0)), '\(candidate)' is \(Self.kind(sides.1)); "
          + "name two of a kind.")
    }
  }

  /// What would be ignored is refused: whoever wrote it meant something by it.
  private func refuse(_ options: [String: Any?], of others: String) throws {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) where value != nil {
      throw ValidationError("\(name) is for \(others), and these are none; leave it out.")
    }
  }

  private func refuseOptionsOfSounds() throws {
    try refuse(["--semitones": semitones, "--delay-ms": delayMs], of: "sounds")
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
