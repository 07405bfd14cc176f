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

  /// - Parameter path: of such a file, or of a gate's baseline (`.tsv`), which has several settings.
  static func time(in path: String, of settings: SubjectSettings) throws -> CalibratedCost {
    guard path.hasSuffix(".tsv") else { return try KeptCost(reading: path).cost }
    guard let cost = try costs(of: path).time(settings) else { throw lacking(path, settings) }
    return cost
  }

  /// Only baselines of gates have counts.
  ///
  /// - Returns: the smallest rise that counts, too: more where it was counted elsewhere.
  static func instructions(
    in path: String, of settings: SubjectSettings, _ trial: CostTrial.Settings
  ) throws -> (InstructionCount, minimumEffect: Double) {
    let costs = try costs(of: path)
    guard let count = costs.instructions(settings) else { throw lacking(path, settings) }
    return (count, costs.leastCounted(trial))
  }

  private static func costs(of baseline: String) throws -> BaselineCosts {
    let url = URL(fileURLWithPath: baseline)
    guard let costs = try Baseline(reading: url).costs else {
      throw EvaluationError.settings(subject: baseline, problem: "has no costs")
    }
    return costs
  }

  private static func lacking(_ path: String, _ settings: SubjectSettings) -> EvaluationError {
    .settings(subject: path, problem: "has no such cost of '\(settings.canonical)'")
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
