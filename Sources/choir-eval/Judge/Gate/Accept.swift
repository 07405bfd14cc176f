import ArgumentParser
import Evaluation
import Foundation

struct Accept: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take what a gate found into its baseline, with a reason.",
    discussion: """
      Measures the gate's plan twice and refuses what differs between the two by more than noise. Of
      an existing baseline only what failed is changed: what got worse, cells and metrics that it
      lacks or that are not what they were; --all takes everything. Both files are written whole or
      not at all. Budgets are the gate's: change them there.

        choir-eval accept Corpus/gates/smoke.yaml --reason "longer window, agreed with the singers"

      Exit codes: 0 accepted, or nothing to accept; 2 could not measure, or not stable; 64 misuse.
      """)

  @OptionGroup var options: GateOptions
  @Option(help: "Why; it stands in the baseline beside every line that changes.")
  var reason: String
  @Flag(help: "Also what is better, or changed by less than matters.") var all = false
  @Flag(help: "Measure and print what would change; write nothing.") var dryRun = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func validate() throws {
    if reason.trimmingCharacters(in: .whitespacesAndNewlines).count < 3 {
      throw ValidationError("--reason is '\(reason)'; say why in a few words.")
    }
  }

  func run() async throws {
    let gate = try options.read()
    let (old, noise) = (try gate.readBaseline(all: all), try gate.readNoise())
    let run = try options.run(of: gate)
    let costRun = options.comparesCost(of: gate) ? try options.costRun(of: run) : nil
    var (runs, costs): ([MeasuredRun], [BaselineCosts]) = ([], [])
    for number in 1...2 {
      Terminal.progress("measuring, \(number) of 2\n")
      runs.append(
        try await measuring { stop, report in try await run.measureOnce(stop: stop, report: report)
        })
      if let costRun { costs.append(try costRun.measure { Terminal.progress("\($0)\n") }) }
    }
    let acceptance = try Acceptance(
      of: runs[1], over: old, gate: gate, noise: noise, all: all,
      reason: reason.trimmingCharacters(in: .whitespacesAndNewlines), costs: costs.last)
    try Acceptance.refuseUnstable(runs[0], runs[1], gate: gate, noise: noise, costs: costs)
    let path = gate.baselineFile.relativeToHere
    if acceptance.isEmpty {
      print(
        json ? try JSON.text(Output(path, reason, [])) : "nothing to accept; \(path) stays as it is"
      )
      return
    }
    if !dryRun { try acceptance.baseline.write(to: gate.baselineFile) }
    if json {
      print(try JSON.text(Output(path, reason, acceptance.changes)))
    } else {
      print(Self.text(acceptance.changes))
      print(
        "\n\(acceptance.changes.count) figures \(dryRun ? "would change" : "accepted") in \(path), "
          + "for the reason: \(reason)")
    }
  }

  /// A first baseline is long: its lines are in the file.
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

  private struct Output: Encodable {
    var schema = "choir-eval.accept/1"
    var baseline: String
    var reason: String
    var changes: [Acceptance.Change]

    init(_ baseline: String, _ reason: String, _ changes: [Acceptance.Change]) {
      (self.baseline, self.reason, self.changes) = (baseline, reason, changes)
    }
  }
}

extension Gate {
  /// A baseline that can't be read may be made anew as a whole, not in part.
  fileprivate func readBaseline(all: Bool) throws -> Baseline? {
    do { return try readBaseline() } catch {
      if all { return nil }
      throw error
    }
  }
}
