import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Metrics
import Platform
import Subjects

extension CostCommand {
  struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure a subject's cost relative to a fixed workload, as a baseline to keep.",
      discussion: """
        Use it when the baseline's build is not available later. It writes JSON to standard output, \
        for choir-eval cost --baseline-file. A comparison with it is less certain than one that \
        alternates between both sides; its interval shows by how much.

          choir-eval cost calibrate reference > cost.json
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

/// A cost that is kept in a file.
struct KeptCost: Codable {
  private static let currentSchema = "choir-eval.calibrated-cost/1"
  var schema = KeptCost.currentSchema
  var subject: String
  var version: String
  var settings: SubjectSettings
  var cost: CalibratedCost

  init(subject: String, version: String, settings: SubjectSettings, cost: CalibratedCost) {
    (self.subject, self.version, self.settings, self.cost) = (subject, version, settings, cost)
  }

  /// Reads the cost in processor time; warns if a file is of another subject or of other settings.
  ///
  /// - Parameter path: such a file, or a gate's baseline (`.tsv`), which has several settings.
  static func time(in path: String, of bench: ProbeBench) throws -> CalibratedCost {
    guard path.hasSuffix(".tsv") else {
      let kept = try KeptCost(reading: path)
      for difference in kept.differences(from: bench.subject.id, bench.settings) {
        Terminal.printError("warning: \(path) \(difference)")
      }
      return kept.cost
    }
    guard let cost = try costs(of: path).time(bench.settings) else {
      throw lacking(path, bench.settings)
    }
    return cost
  }

  /// Returns in words how the subject and the settings differ from a candidate's.
  func differences(from subject: String, _ settings: SubjectSettings) -> [String] {
    func words(_ settings: SubjectSettings) -> String {
      settings.isEmpty ? "the default settings" : settings.canonical
    }
    let (was, now) = (words(self.settings), words(settings))
    return
      (subject == self.subject
      ? [] : ["is the cost of '\(self.subject)', not of '\(subject)'"])
      + (was == now ? [] : ["is the cost with \(was), not with \(now)"])
  }

  /// Reads the cost in instructions, which only the baselines of gates have.
  ///
  /// - Returns: the count and its minimum effect, which is larger if another machine counted.
  static func instructions(
    in path: String, of settings: SubjectSettings, _ trial: CostTrial.Settings
  ) throws -> (InstructionCount, minimumEffect: Double) {
    let costs = try costs(of: path)
    guard let count = costs.instructions(settings) else { throw lacking(path, settings) }
    return (count, costs.leastCounted(trial))
  }

  private static func costs(of baseline: String) throws -> BaselineCosts {
    let url = URL(fileURLWithPath: baseline)
    guard url.pathExtension == "tsv" else {
      throw SubjectError.settings(
        subject: baseline,
        problem: "is no baseline of a gate, and only those have instructions; name a .tsv file, or "
          + "leave --instructions out")
    }
    guard let costs = try Baseline(reading: url).costs else {
      throw SubjectError.settings(
        subject: baseline, problem: "has no costs; add a cost to the gate and accept it again")
    }
    return costs
  }

  private static func lacking(_ path: String, _ settings: SubjectSettings) -> SubjectError {
    .settings(
      subject: path,
      problem: "has no such cost for '\(settings.canonical)'; choose settings that it has")
  }

  init(reading path: String) throws {
    do {
      self = try JSONDecoder().decode(
        Self.self, from: GivenFile.data(at: URL(fileURLWithPath: path)))
    } catch is DecodingError {
      throw SubjectError.settings(
        subject: path, problem: "is no file of choir-eval cost calibrate; write it again")
    } catch {
      throw SubjectError.settings(subject: path, problem: "can't be read; check the path")
    }
    guard schema == Self.currentSchema else {
      throw SubjectError.settings(
        subject: path,
        problem: "has the schema '\(schema)' and not '\(Self.currentSchema)'; write it again with "
          + "choir-eval cost calibrate")
    }
  }
}
