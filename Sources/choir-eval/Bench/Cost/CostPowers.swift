import ArgumentParser
import Evaluation

extension CostCommand {
  struct Power: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "How often a comparison finds what is there, and what isn't.",
      discussion: """
        Compares the subject with itself, and with itself made busier by known shares, again and again.
        """)

    @OptionGroup var work: Work
    @Option(
      help: "What the candidate costs more, in percent, with commas; 0 is the subject itself.")
    var percent = "0,5,10,25"
    @Option(help: "Comparisons for each.", in: 1...10_000) var trials = 50
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

  struct Rounds: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answers each number of repetitions with the seconds they take.",
      shouldDisplay: false)

    @OptionGroup var work: Work

    func run() throws { try ProgramRounds.answer(by: work.bench().costRounds()) }
  }
}
