import ArgumentParser
import BuildInfo
import CommandSupport
import Platform

/// The program `choir-dev`, which tries the toolkit itself. No release has it: it is built where the
/// environment has CHOIR_DEV=1.
@main struct ChoirDev: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choir-dev",
    abstract: "Try the metrics, the gate and the comparisons of cost; remake figures.",
    version: toolkit.description,
    groupedSubcommands: [
      CommandGroup(
        name: "Plant faults",
        subcommands: [SelftestCommand.self, MetricsCommand.self, CostCommand.self]),
      CommandGroup(
        name: "Measure the toolkit (scripts/bench)",
        subcommands: [
          Tables.self, JudgeCost.self, GatePairs.self, HuntedDefects.self, DelayTrials.self,
          TapeThrough.self, PitchEvidence.self,
        ]),
    ])

  /// This build.
  private static let toolkit = Toolkit(
    version: BuildInfo.version, commit: BuildInfo.commit, sources: BuildInfo.sources)

  static func main() async { await toolkit.run { await Program<Self>.main() } }
}
