import ArgumentParser
import BuildInfo
import Foundation

/// The command: parses, calls, prints, and chooses the exit code.
@main struct ChoirEval: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choir-eval",
    abstract: "Says of a vocal harmonizer how late, how in tune, how natural and how costly it is.",
    discussion: """
      Start here:
        choir-eval doctor                              what is installed, what is missing
        choir-eval corpus list                         the voices to try
        choir-eval run Corpus/plans/demo.yaml          render and measure them
        choir-eval tune Corpus/plans/demo.yaml         which settings to ship
        choir-eval report                              make the page of the last run
        choir-eval compare old.sqlite new.sqlite       what has changed between two runs
        choir-eval gate Corpus/gates/smoke.yaml        did anything get worse?

      One recording at a time:
        choir-eval harmonize in.wav out.wav --intervals 4,7
        choir-eval autotune in.wav out.wav --key "A minor"
        choir-eval effects in.wav out.wav --chain "compressor > reverb"
        choir-eval analyze out.wav
        choir-eval compare in.wav out.wav --semitones 4

      Results go to standard output, progress and warnings to standard error.

      Exit codes: 0 good; 1 measured and not good enough; 2 could not measure; 64 misuse;
      130 interrupted.
      """,
    version: BuildInfo.description,
    subcommands: [
      Run.self, Merge.self, Tune.self, Report.self, Export.self, Compare.self, GateCommand.self,
      Accept.self,
      SelftestCommand.self, Explain.self, Probe.self, Timing.self, CostCommand.self,
      SubjectsCommand.self, CorpusCommand.self, MetricsCommand.self,
      Harmonize.self, Autotune.self, EffectsCommand.self, Presets.self, Analyze.self, Synth.self,
      Doctor.self, Manual.self,
    ])

  static func main() async {
    StandardOutput.secure()
    Foundation.exit(StandardOutput.settled(await status()))
  }

  /// Runs what was typed, and says what went wrong.
  private static func status() async -> Int32 {
    do {
      let command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch {
      // What the parser throws it can also put in words. Anything else kept us from measuring.
      if error is ExitCode || exitCode(for: error) != .failure {
        let (code, text) = (exitCode(for: error), fullMessage(for: error))
        if text.isEmpty { return code.rawValue }
        if code == .success { print(text) } else { Terminal.write(text + "\n") }
        return code.rawValue
      }
      Terminal.printError("\(error)")
      return error is Refusal ? ExitCode.validationFailure.rawValue : 2
    }
    return 0
  }
}
