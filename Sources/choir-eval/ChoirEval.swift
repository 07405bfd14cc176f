import ArgumentParser
import BuildInfo
import CommandSupport
import Files
import Foundation
import ProjectCommands
import SoundCommands

/// The command `choir-eval`: parses, calls the libraries, prints, and chooses the exit code.
@main struct ChoirEval: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choir-eval",
    abstract: "Measure a vocal harmonizer's latency, tuning, naturalness and cost.",
    discussion: """
      Start here:
        choir-eval doctor                          what is installed, what is missing
        choir-eval check mine.yaml                 measure your own harmonizer
        choir-eval hunt mine.yaml                  look for the worst it does within hearing
        choir-eval corpus list                     the voices to test with
        choir-eval run Corpus/plans/demo.yaml      render and measure them
        choir-eval tune Corpus/plans/demo.yaml     recommend settings
        choir-eval report                          make the page of the last run
        choir-eval listen make                     ask people, with a test of its sounds
        choir-eval compare old.sqlite new.sqlite   what changed between two runs
        choir-eval gate Corpus/gates/smoke.yaml    is there a regression?
        choir-eval bisect mine/gate.yaml --good v1 which commit made it worse?
        choir-eval history show                    figures over commits

      For one recording:
        choir-eval harmonize in.wav out.wav --intervals 4,7
        choir-eval autotune in.wav out.wav --key "A minor"
        choir-eval effects in.wav out.wav --chain "compressor > reverb"
        choir-eval analyze out.wav
        choir-eval compare in.wav out.wav --semitones 4
        choir-eval live --voices 4                 sing through it, by JACK
        choir-eval project new song                keep takes together, export them

      Results go to standard output, progress and warnings to standard error.

      Exit codes: 0 good; 1 measured and not good enough; 2 could not measure; 3 inconclusive, \
      with --strict; 64 misuse; 130 interrupted by Ctrl-C; 143 terminated by SIGTERM.
      """,
    version: toolkit.description,
    subcommands: [
      Check.self, Run.self, Merge.self, Tune.self, Report.self,
      ListenCommand.self, Export.self,
      Compare.self,
      GateCommand.self,
      Accept.self, BisectCommand.self, HistoryCommand.self,
      SelftestCommand.self, Explain.self, Probe.self, HuntCommand.self, Timing.self,
      CostCommand.self,
      SubjectsCommand.self, CorpusCommand.self, MetricsCommand.self,
      Harmonize.self, Autotune.self, EffectsCommand.self, Presets.self, Analyze.self, Synth.self,
      Chords.self, LiveCommand.self, PlayThrough.self, ProjectCommand.self,
      Doctor.self, Manual.self,
    ])

  /// This build.
  private static let toolkit = Toolkit(
    version: BuildInfo.version, commit: BuildInfo.commit, sources: BuildInfo.sources)

  static func main() async {
    StandardOutput.secure()
    Foundation.exit(StandardOutput.settled(await toolkit.run { await status() }))
  }

  /// Runs the command line and reports any error; returns the exit code.
  private static func status() async -> Int32 {
    let command: any ParsableCommand
    do { command = try parseAsRoot() } catch { return answer(fullMessage(for: error)) }
    do {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch let error as ValidationError {
      let path = CommandPath(to: type(of: command))
      return answer(path?.message(for: error) ?? fullMessage(for: error))
    } catch let error where error is CleanExit || type(of: command)._commandName == "help" {
      return answer(fullMessage(for: error))
    } catch {
      // Nothing could be measured.
      Terminal.printError("\(error)")
      return error is Refusal ? ExitCode.validationFailure.rawValue : 2
    }
  }

  /// Prints what the parser says about misuse or a request for help; returns the exit code.
  ///
  /// The text tells them apart: `exitCode(for:)` would make it a second time, which takes a quarter
  /// of a second in debug builds.
  private static func answer(_ text: String) -> Int32 {
    guard text.hasPrefix(_errorPrefix) else {
      print(text)
      return 0
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    Terminal.write(NearestNames.named(in: text, arguments: arguments) + "\n")
    return ExitCode.validationFailure.rawValue
  }
}
