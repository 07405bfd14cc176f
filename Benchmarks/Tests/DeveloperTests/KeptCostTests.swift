import Foundation
import TestSupport
import Testing

@testable import Metrics
@testable import choir_dev

/// A cost that is kept in a file, as `choir-dev cost compare --baseline` reads it.
@Suite struct KeptCostTests {
  private let kept = KeptCost(
    subject: "reference", version: "1", settings: ["windowMs": .number(20)],
    cost: CalibratedCost(
      ratio: 1, interval: 0.9...1.1, confidence: 0.95, rounds: 8, workloadVersion: 1))

  @Test func anotherSubjectAndOtherSettingsAreNamed() {
    #expect(kept.differences(from: "reference", ["windowMs": .number(20)]).isEmpty)
    #expect(
      kept.differences(from: "psola", [:]) == [
        "is the cost of 'reference', not of 'psola'",
        "is the cost with windowMs=20, not with the default settings",
      ])
  }

  @Test func aFileOfAnotherSchemaIsRefused() throws {
    let folder = try TemporaryFolder()
    func file(_ cost: KeptCost) throws -> String {
      let text = String(decoding: try JSONEncoder().encode(cost), as: UTF8.self)
      return try folder.write(text, to: "cost.json").path
    }
    #expect(try KeptCost(reading: file(kept)).subject == "reference")
    var later = kept
    later.schema = "choir-dev.calibrated-cost/2"
    let path = try file(later)
    #expect {
      _ = try KeptCost(reading: path)
    } throws: { "\($0)".contains("has the schema 'choir-dev.calibrated-cost/2'") }
  }
}
