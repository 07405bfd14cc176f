import ArgumentParser

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Grade the metrics, and write the tables of docs/data.",
    subcommands: [List.self, Thresholds.self, Validate.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print docs/data/metrics.csv: all metrics.")

    func run() { print(MetricData.csv, terminator: "") }
  }

  struct Thresholds: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "audibility",
      abstract: "Print docs/data/audibility.csv: thresholds of hearing with their sources.")

    func run() { print(AudibilityData.csv, terminator: "") }
  }
}
