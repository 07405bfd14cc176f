import ArgumentParser
import CommandSupport
import Foundation
import Gate
import Platform
import Subjects
import Sweep

struct Accept: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Accept a gate's findings into its baseline, with a reason.",
    discussion: """
      Use it when a change is intended, or to make the first baseline. It measures the gate's plan \
      twice, to see whether the subject is random, and then under \
      \(GateNoise.defaultPerturbations(isRandom: false)) inaudible changes of the input \
      (\(GateNoise.defaultPerturbations(isRandom: true)) for a random subject), to learn how far noise \
      moves each figure. In an existing baseline it changes \
      only what failed: regressions, and cells and metrics that are missing or changed their \
      version; --all changes everything. The baseline, its noise and the answers of the bench are \
      written together or not at all. Budgets are \
      part of the gate's file: change them there.

        choir-eval accept Corpus/gates/smoke.yaml --reason "longer window"

      Exit codes: 0 accepted, or nothing to accept; 2 could not measure, or not comparable; 64 misuse.
      """)

  @OptionGroup var options: GateOptions
  @Option(help: "Reason; the baseline keeps it beside every changed line.")
  var reason: String
  @Option(
    help: "SQLite file to keep the results in, for explain and report; by default none.",
    completion: .store)
  var store: String?
  @Flag(help: "Accept improvements and small changes too.") var all = false
  @Flag(help: "Measure and print the changes without writing them.") var dryRun = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if reason.trimmingCharacters(in: .whitespacesAndNewlines).count < 3 {
      throw ValidationError("--reason is '\(reason)'; give the reason in a few words.")
    }
  }

  func run() async throws {
    let gate = try options.read()
    let old = all ? try? gate.readBaseline() : try gate.readBaseline()
    let oldNoise = try old.flatMap { old in try own { try gate.readNoise(of: old) } }
    let oldBench = try old.flatMap { old in try own { try gate.readBench(of: old) } }
    let run = try options.run(of: gate)
    var runs: [MeasuredRun] = []
    for number in 1...2 {
      Terminal.progress("measuring, \(number) of 2\n")
      runs.append(
        try await Interruption.measuring { stop, report in
          guard number == 1, let store else {
            return try await run.measureOnce(stop: stop, report: report)
          }
          return try await run.measure(
            into: ResultStore(URL(fileURLWithPath: store)), stop: stop, report: report)
        })
      // The other rounds would take long, for nothing.
      try Acceptance.requireMeasured(runs[0])
    }
    let differing = try Acceptance.differingFigures(runs[0], runs[1], gate: gate)
    let changes = gate.perturbationsToMeasure(after: oldNoise, isRandom: differing > 0)
    let takes = try run.isPerturbable ? await run.takes(changes) : []
    let noise =
      takes.isEmpty
      ? nil : GateNoise(takes, of: gate.comparedMetrics, differingFigures: differing)
    let acceptance = try Acceptance(
      of: runs[0], takes: takes, over: old, gate: gate, oldNoise: oldNoise, noise: noise, all: all,
      reason: reason.trimmingCharacters(in: .whitespacesAndNewlines))
    let bench = try bench(of: run, over: oldBench)
    let benchChanges = bench?.changes(from: oldBench) ?? 0
    // Nothing is written before all is measured, and then all together.
    if !dryRun, !acceptance.isEmpty || !acceptance.keepsNoise || benchChanges > 0 {
      try acceptance.baseline.write(to: gate.baselineFile, noise: acceptance.noise, bench: bench)
    }
    if !json, let noise = acceptance.noise {
      print(NoiseText(noise, of: acceptance.baseline, gate: gate, cells: runs[0].cells).text())
    }
    let path = gate.baselineFile.relativeToHere
    if !json, benchChanges > 0 {
      print(
        "\(benchChanges) answers to sounds that are no voice "
          + "\(dryRun ? "would change" : "accepted") in \(gate.benchFile.relativeToHere)")
    }
    if acceptance.isEmpty {
      if json {
        print(try json(acceptance, in: path))
      } else {
        if benchChanges == 0 { print("nothing to accept; \(path) is unchanged") }
        if let remark = acceptance.remark { print(remark) }
      }
      return
    }
    if json {
      print(try json(acceptance, in: path))
    } else {
      print(Self.text(acceptance.changes))
      print(
        "\n\(counted(acceptance.changes.count, "figure")) \(dryRun ? "would change" : "accepted") in \(path); "
          + "reason: \(reason)")
      if let remark = acceptance.remark { print(remark) }
    }
  }

  /// Returns a file beside the baseline, or `nil` if it has to be measured anew: it belongs to another
  /// baseline, or with `--all` it can't be read.
  private func own<File>(_ read: () throws -> File?) throws -> File? {
    do { return try read() } catch {
      if all || error is OtherBaseline { return nil }
      throw error
    }
  }

  /// Puts the subjects on the bench; returns the answers to accept.
  private func bench(of run: GateRun, over old: GateBench?) throws -> GateBench? {
    guard run.gate.bench else { return nil }
    Terminal.stage("bench: sounds that are no voice")
    let now = try run.bench()
    return old?.accepting(now, all: all) ?? now
  }

  private func json(_ acceptance: Acceptance, in path: String) throws -> String {
    try JSON.text(
      [
        "schema": "choir-eval.accept/1", "baseline": path, "reason": reason,
        "changes": acceptance.changes,
        "improvements": acceptance.improvements, "steadier": acceptance.steadier,
      ] as JSONObject)
  }

  /// Lists at most 60 changes; a first baseline is long, and its file has them all.
  private static func text(_ changes: [Acceptance.Change]) -> String {
    var table = TextTable(header: [
      "metric", "voice", "score", "settings", "before", "after", "unit",
    ])
    for change in changes.prefix(60) {
      let key = change.key
      table.rows.append([
        key.figure.metric, key.figure.voice ?? "all", key.score, key.configuration,
        change.before.map { String(format: "%.5g", $0) } ?? "–",
        change.after.map { String(format: "%.5g", $0) } ?? "–", change.unit,
      ])
    }
    return table.text() + (changes.count > 60 ? "\n… and \(changes.count - 60) more" : "")
  }
}
