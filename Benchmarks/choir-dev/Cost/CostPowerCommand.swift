import ArgumentParser
import CommandSupport
import Metrics

extension CostCommand {
  struct Power: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure how often a cost comparison detects a known change.",
      discussion: """
        Use it to learn which changes of cost this machine can detect, and how often it reports one \
        that isn't there. It compares the subject with itself, and with itself slowed down by known \
        shares, many times.

          choir-dev cost power reference --percent 0,5,10 --trials 20
        """)

    @OptionGroup var work: Work
    @Option(help: "Added costs in percent, comma-separated; 0 compares the subject with itself.")
    var percent = "0,5,10,25"
    @Option(help: "Comparisons for each added cost.", in: 1...10_000) var trials = 50
    @OptionGroup var trial: Trial
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var quietness: Quietness

    func validate() throws {
      _ = try shares()
    }

    func run() throws {
      let shares = try shares()
      var bar = ProgressBar(total: shares.count * trials)
      let power = try CostPower(
        of: work.bench(), shares: shares, trials: trials, settings: trial.settings()
      ) { bar.advance(to: "comparisons") }
      print(try json ? JSON.text(power) : CostText.text(power))
    }

    private func shares() throws -> [Double] {
      try percent.split(separator: ",").map { word in
        guard let number = Double(word), 0...1000 ~= number else {
          throw ValidationError("--percent has '\(word)'; write numbers from 0 to 1000.")
        }
        return number / 100
      }
    }
  }
}
