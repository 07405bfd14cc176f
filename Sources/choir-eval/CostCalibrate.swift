import ArgumentParser
import Evaluation
import Foundation

extension CostCommand {
  struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What a subject costs beside a fixed piece of work, to be kept as a baseline.",
      discussion: """
        Writes JSON to standard output: choir-eval cost calibrate reference > cost.json. A comparison
        with it is less certain than one by turns, and says by how much.
        """)

    @OptionGroup var work: Work
    @OptionGroup var trial: Trial

    func run() throws {
      let cost = try CostTrial(trial.settings()).calibrated(work.bench().costRounds())
      let bench = try work.bench()
      print(
        try JSON.text(
          KeptCost(
            subject: bench.subject.id, version: bench.subject.version, settings: bench.settings,
            cost: cost)))
    }
  }
}

/// A cost as it is kept in a file.
struct KeptCost: Codable {
  var schema = "choir-eval.calibrated-cost/1"
  var subject: String
  var version: String
  var settings: SubjectSettings
  var cost: CalibratedCost

  init(subject: String, version: String, settings: SubjectSettings, cost: CalibratedCost) {
    (self.subject, self.version, self.settings, self.cost) = (subject, version, settings, cost)
  }

  init(reading path: String) throws {
    do {
      self = try JSONDecoder().decode(
        Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch is DecodingError {
      throw EvaluationError.settings(
        subject: path, problem: "is not what choir-eval cost calibrate writes")
    } catch {
      throw EvaluationError.settings(subject: path, problem: "can't be read; is the path right?")
    }
  }
}
