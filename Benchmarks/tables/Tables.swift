import ArgumentParser

/// Prints the figures of the documentation that no test asserts, or that a script sets beside a peer's.
@main
struct Tables: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: "Remake figures of the documentation.",
    discussion: "Results come one a line on standard output.",
    subcommands: [Playback.self, ClickRecall.self, VoiceQuality.self])
}
