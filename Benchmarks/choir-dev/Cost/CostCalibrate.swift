import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Metrics
import Platform
import Subjects

extension CostCommand {
  struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Measure a subject's cost relative to a fixed workload, as a baseline to keep.",
      discussion: """
        Use it when the baseline's build is not available later. It writes JSON to standard output, \
        for choir-dev cost compare --baseline. A comparison with it is less certain than one that \
        alternates between both sides; its interval shows by how much.

          choir-dev cost calibrate reference > cost.json
        """)

    @OptionGroup var work: Work
    @OptionGroup var trial: Trial

    func run() throws {
      let bench = try work.bench()
      let cost = try CostTrial(trial.settings()).calibrated(bench.costRounds())
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
  private static let currentSchema = "choir-dev.calibrated-cost/1"
  var schema = KeptCost.currentSchema
  var subject: String
  var version: String
  var settings: SubjectSettings
  var cost: CalibratedCost

  init(subject: String, version: String, settings: SubjectSettings, cost: CalibratedCost) {
    (self.subject, self.version, self.settings, self.cost) = (subject, version, settings, cost)
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

  init(reading path: String) throws {
    do {
      self = try JSONDecoder().decode(
        Self.self, from: GivenFile.data(at: URL(fileURLWithPath: path)))
    } catch is DecodingError {
      throw SubjectError.settings(
        subject: path, problem: "is no file of choir-dev cost calibrate; write it again")
    } catch {
      throw SubjectError.settings(subject: path, problem: "can't be read; check the path")
    }
    guard schema == Self.currentSchema else {
      throw SubjectError.settings(
        subject: path,
        problem: "has the schema '\(schema)' and not '\(Self.currentSchema)'; write it again with "
          + "choir-dev cost calibrate")
    }
  }
}
