import Foundation
import Metrics
import TestSupport
import Testing

@testable import choir_dev

/// The tables of docs/data, which `choir-dev metrics` writes.
@Suite struct DataTests {
  private func file(_ name: String) throws -> String {
    try String(contentsOf: Repository.file("docs/data/\(name)"), encoding: .utf8)
  }

  @Test func theTableOfMetricsIsUpToDate() throws {
    #expect(
      try file("metrics.csv") == MetricData.csv, "choir-dev metrics list > docs/data/metrics.csv")
  }

  @Test func theTableOfThresholdsIsUpToDate() throws {
    #expect(
      try file("audibility.csv") == AudibilityData.csv,
      "choir-dev metrics audibility > docs/data/audibility.csv")
  }

  /// The table for readers has the grades that the program ships.
  @Test func theTableOfValidityHasTheGradesOfTheProgram() throws {
    let rows = try file("validity.csv").split(whereSeparator: \.isNewline).dropFirst()
    #expect(rows.count > 500)
    for row in rows {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let (metric, kind) = try (
        #require(Metric.metric(id: fields[0])), #require(RecordingClass(fields[1]))
      )
      #expect(metric.grade(on: kind)?.words == fields[2], "\(row)")
    }
  }
}
