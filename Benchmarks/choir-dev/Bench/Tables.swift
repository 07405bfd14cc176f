import ArgumentParser

/// Prints figures of the documentation that no test asserts or that a script compares with a
/// peer's.
struct Tables: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables", abstract: "Remake figures of the documentation.",
    discussion: "Results come one a line on standard output.",
    subcommands: [Playback.self, ClickRecall.self, VoiceQuality.self, Speed.self])
}
