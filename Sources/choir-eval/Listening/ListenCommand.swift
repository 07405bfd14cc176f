import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Reporting
import Sweep

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Ask people: make a listening test of a run, and pool its answers.",
    discussion: """
      Use it before a release, or to see which metrics agree with your listeners. \
      docs/reference/listening.md explains the methods and the statistics.

        choir-eval listen make demo --method mushra --setting psola --setting vocoder
        choir-eval listen pool answers/*.json --key Reports/listen/demo/key.json
      """,
    subcommands: [ListenMake.self, ListenPool.self])
}

struct ListenMake: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make a listening test of the sounds that a run kept.",
    discussion: """
      Use it after a run whose plan names recordings under 'listen:'. It writes a folder with the \
      page for the listeners, which opens from disk in any browser, and the key, which tells which \
      sound is which: keep it. All sounds of a clip are equally loud; each listener gets an order of \
      their own, and saves a small file of answers at the end.

        choir-eval listen make demo --method mushra --setting psola --setting vocoder
        choir-eval listen make demo --method pairs --max-trials 60

      Exit codes: 0 made; 2 the run has no sound to judge; 64 misuse.
      """)

  @Argument(help: "Name of the run; default: the last one.") var name: String?
  @Option(
    help: ArgumentHelp(
      "Question to ask: mushra (scores beside an ideal choir, for synthetic voices), rating (scores "
        + "without one) or pairs (the better of two)."))
  var method = ListeningTest.Method.mushra
  @Option(help: "Settings to compare, by words such as 'psola' or 'windowMs=20'; may be repeated.")
  var setting: [String] = []
  @Option(help: "Maximum number of pairs, drawn from all.", in: 1...1000) var maxTrials = 60
  @Option(help: "Seed of all orders.", in: Bounds.seed) var seed: UInt64 = 1
  @Option(help: "Folder to write; default: Reports/listen/RUN.", completion: .directory)
  var output: String?
  @OptionGroup var places: StoreOptions
  @OptionGroup var overwriting: Overwriting
  @OptionGroup var quietness: Quietness

  func run() throws {
    let store = try ResultStore(reading: places.storeFile)
    let run = try store.run(named: name)
    let design = ListeningTestDesign(
      method: method, settings: setting, seed: seed, maxTrials: maxTrials)
    let plan = try design.plan(of: run, in: store, corpus: places.place.read())
    let folder = URL(fileURLWithPath: output ?? "Reports/listen/\(run.plan.name)")
    guard ListeningTestWriter.isReplaceable(folder) else {
      throw ValidationError("\(folder.relativePath) holds other files; choose another --output")
    }
    let key = folder.appendingPathComponent(ListeningTest.keyFile)
    if !overwriting.force, FileManager.default.fileExists(atPath: key.path) {
      throw ValidationError(
        "\(folder.relativePath) holds a test, whose answers need its key; choose another --output, "
          + "or replace it with --force")
    }
    Terminal.stage("writing \(plan.test.stimuli.count) sounds, all equally loud")
    try ListeningTestWriter().write(plan, to: folder)
    for recording in plan.withoutIdeal {
      Terminal.printError(
        "\(recording) has no ideal choir and is left out; --method rating takes it")
    }
    print(ListenText.made(plan.test, in: folder))
  }
}

extension ListeningTest.Method: ExpressibleByArgument {}
