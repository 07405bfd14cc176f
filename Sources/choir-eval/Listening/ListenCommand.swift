import ArgumentParser

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Ask people: make a listening test of a run, and pool its answers.",
    discussion: """
      Use it before a release, or to see which metrics agree with your listeners. \
      docs/reference/listening-tests.md explains the methods and the statistics.

        choir-eval listen make demo --method mushra --setting psola --setting vocoder
        choir-eval listen pool answers/*.json --key Reports/listen/demo/key.json
      """,
    subcommands: [ListenMake.self, ListenPool.self])
}
