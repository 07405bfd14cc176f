import ArgumentParser
import BuildInfo
import CommandSupport
import Platform

/// The program `choir-eval`, which measures harmonizers and auto-tuners.
@main struct ChoirEval: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choir-eval",
    abstract: "Measure a vocal harmonizer's latency, tuning, naturalness and cost.",
    discussion: """
      Start here:
        choir-eval doctor                          what is installed, what is missing
        choir-eval check mine.yaml                 measure your own harmonizer
        choir-eval tape make smoke                 a file that measures an app, a pedal, anything
        choir-eval hunt mine.yaml                  search for its audible faults
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
        choir-eval analyze voice.wav
        choir-eval compare in.wav out.wav --semitones 4
        choir-eval score truth.csv mine.csv        a pitch series, notes or chords, by mir_eval

      The instrument is another program: choir harmonizes, tunes and plays live.

      Results go to standard output, progress and warnings to standard error.

      Exit codes: 0 good; 1 measured and not good enough; 2 could not measure; 3 inconclusive, \
      with --strict; 64 misuse; 130 interrupted by Ctrl-C; 143 terminated by SIGTERM.
      """,
    version: toolkit.description,
    subcommands: [Doctor.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Measure",
        subcommands: [
          Check.self, Run.self, Tune.self, Report.self, TapeCommand.self, ListenCommand.self,
          Export.self, Merge.self,
        ]),
      CommandGroup(
        name: "Judge",
        subcommands: [
          Compare.self, GateCommand.self, Accept.self, BisectCommand.self, HistoryCommand.self,
        ]),
      CommandGroup(
        name: "Search for causes",
        subcommands: [
          Probe.self, HuntCommand.self, Explain.self, Analyze.self, ScoreCommand.self,
        ]),
      CommandGroup(
        name: "Material",
        subcommands: [
          SubjectsCommand.self, CorpusCommand.self, MetricsCommand.self,
        ]),
    ])

  /// This build.
  private static let toolkit = Toolkit(
    version: BuildInfo.version, commit: BuildInfo.commit, sources: BuildInfo.sources)

  static func main() async { await toolkit.run { await Program<Self>.main() } }
}
