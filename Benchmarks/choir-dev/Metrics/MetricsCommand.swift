import ArgumentParser

struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Grade the metrics, and write the tables of docs/data.",
    subcommands: [List.self, Validate.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print docs/data/metrics.csv: all metrics.")

    func run() { print(MetricData.csv, terminator: "") }
  }
}
