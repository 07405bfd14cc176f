import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Synchronization

struct SelftestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Test the metrics and the gate themselves, with injected defects.",
    discussion: """
      Use it to check that a gate would find a regression, and raises no false alarms. The built-in \
      harmonizer is given defects of known size, from 3 cents in one voice to an allocation per \
      block; each defect is tried many times on recordings drawn from a tier. Runs without a defect \
      are compared too. --cost-trials adds defects that make it slower. CONTRIBUTING.md \
      explains how trials are drawn.

        choir-dev selftest --tier smoke --trials 20
        choir-dev selftest --only detune,nan
        choir-dev selftest --from-mix --only detune-3,missing,swap

      Exit codes: 0 every required defect was found, without false alarms; 1 a defect was missed, \
      or there were false alarms; 2 could not measure; 64 misuse.
      """)

  @Option(help: "Recordings to draw from: smoke, standard or release.") var tier = Tier.standard
  @Option(help: "Trials of each defect.", in: 1...10_000) var trials = 100
  @Option(help: "Comparisons of identical runs, which must find nothing.", in: 0...10_000)
  var nullTrials = 200
  @Option(
    help: ArgumentHelp(
      "Trials of each defect of cost, which take seconds each; default: none.",
      valueName: "trials"),
    in: 0...10_000)
  var costTrials: Int?
  @Option(help: "Defects to try, by id or its beginning, comma-separated: detune,nan.")
  var only: String?
  @Option(help: "Engine of the harmonizer that is given defects.") var engine = "psola"
  @Flag(help: "Judge the voices from a mix alone, as of a program that gives no stems.")
  var fromMix = false
  @Flag(
    help:
      "Judge with the noise of each figure, from four inaudible changes of the input, as a gate does."
  )
  var noise = false
  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  var corpus = Installation.corpus
  @Option(help: "Recordings to process in parallel.", in: Bounds.jobs) var jobs = Bounds.defaultJobs
  @Option(help: "Seed for all random draws.", in: Bounds.seed) var seed: UInt64 = 1
  @Flag(help: "List the defects and stop.") var list = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    _ = try chosen()
  }

  func run() async throws {
    let defects = try chosen()
    if list {
      return print(try json ? SelftestText.listJSON(defects) : SelftestText.list(defects))
    }
    var settings = Selftest.Settings()
    (settings.tier, settings.trials, settings.nullTrialCount) = (tier, trials, nullTrials)
    // A defect of cost that is named is tried without --cost-trials too.
    settings.costTrials =
      costTrials ?? (only != nil && defects.contains(where: \.isOfCost) ? trials : 0)
    (settings.seed, settings.subjectSettings) = (seed, ["engine": .text(engine)])
    settings.fromMix = fromMix
    if noise { settings.perturbations = GateNoise.defaultPerturbations(isRandom: false) }
    // Octaves can't be told apart in a mix.
    if fromMix { settings.intervalsSemitones = [-5, 4, 9] }
    let progress = Mutex(ProgressBar(total: 1))
    let selftest = try await Selftest(
      settings, corpus: Corpus(folder: URL(fileURLWithPath: corpus)), defects: defects, jobs: jobs
    ) { event in
      progress.withLock { bar in
        switch event {
        case .began(let steps): bar = ProgressBar(total: steps)
        case .finished(let label): bar.advance(to: label)
        }
      }
    }
    print(json ? try JSON.text(selftest) : SelftestText.text(selftest))
    guard selftest.passed else { throw ExitCode(1) }
  }

  private func chosen() throws -> [Defect] {
    guard let only else { return Defect.library }
    return try only.split(separator: ",").flatMap { name in
      let chosen = Defect.library.filter { $0.id == name || $0.id.hasPrefix("\(name)-") }
      guard !chosen.isEmpty else {
        let ids = Defect.library.map(\.id).joined(separator: ", ")
        throw ValidationError("--only has '\(name)'; there is \(ids).")
      }
      return chosen
    }
  }
}
