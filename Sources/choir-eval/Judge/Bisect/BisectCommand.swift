import ArgumentParser
import CommandSupport
import Foundation
import Gate

struct BisectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Find the commit that made a figure of a gate worse.",
    discussion: """
      Use it when a gate fails and you don't know since when. It builds commits between a good and \
      a bad one by the gate's 'build', in folders of their own, and measures as few recordings as \
      decide. It follows the figure that heads the gate's first cause; --figure follows another. \
      Commits that don't build are skipped. Your working tree is not touched.

        choir-eval bisect mine/gate.yaml --good v1.0 --bad main
        choir-eval bisect mine/gate.yaml --good v1.0 --bad main --figure pitch.abs_error

      Exit codes: 0 found; 2 nothing got worse, or it could not be measured; 64 misuse; 130 \
      interrupted by Ctrl-C.
      """)

  @OptionGroup var options: GateOptions
  @Option(help: "Branch, tag or commit at which the figure was good.") var good: String
  @Option(help: "Branch, tag or commit at which it is bad.") var bad = "HEAD"
  @Option(
    help: "Metric, or figure as the gate prints it; default: that of the gravest cause.",
    completion: .metrics)
  var figure: String?
  @OptionGroup var older: RevisionOptions
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var quietness: Quietness

  func run() async throws {
    let gate = try options.read()
    let run = try options.run(of: gate)
    // The working tree takes no part: its changes don't matter, and its plan measures all commits.
    var allowances = GateReference.Allowances()
    (allowances.dirty, allowances.changedPlan) = (true, true)
    let bisection = try Bisection(
      GateReference(
        good, of: gate, for: run, subjectThen: older.againstSubject, allowing: allowances),
      bad: bad, run: run, builds: older.buildsFolder)
    let result = try await Interruption.measuring { stop, _ in
      try await bisection.result(figure: figure, stop: stop) { Terminal.stage($0) }
    }
    print(json ? try JSON.text(result) : BisectText(result, gate: options.gate).text())
  }
}
