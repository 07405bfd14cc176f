import Foundation
import Metrics
import SwiftCSV
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

  /// The table of thresholds, which is written by hand, has those of the program.
  @Test func theTableOfThresholdsHasThoseOfTheProgram() throws {
    let table = try CSV<Named>(string: file("audibility.csv")).rows
    for entry in Audibility.allCases {
      let rows = table.filter { $0["axis of tune"] == entry.rawValue }
      #expect(!rows.isEmpty, "\(entry)")
      for row in rows {
        #expect(row["just noticeable"].flatMap(Double.init) == entry.threshold, "\(entry)")
        #expect(row["one step"].flatMap(Double.init) == entry.step, "\(entry)")
      }
    }
  }

  /// The table for readers has the grades that the program ships.
  @Test func theTableOfValidityHasTheGradesOfTheProgram() throws {
    let rows = try CSV<Named>(string: file("validity.csv")).rows
    #expect(rows.count > 500)
    for row in rows {
      let metric = try #require(row["metric"].flatMap { Metric.metric(id: $0) })
      let kind = try #require(row["class"].flatMap { RecordingClass($0) })
      #expect(metric.grade(on: kind)?.words == row["grade"], "\(row)")
    }
  }
}
