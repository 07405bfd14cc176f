import Testing

@testable import Gate
@testable import Metrics
@testable import Reporting

@Suite struct HistoryDrawingsTests {
  private func series(_ voice: String, _ commits: [String]) -> FigureSeries {
    let key = FigureKey(
      FigureID("pitch.abs_error", voice: voice), score: "third", configuration: "")
    let records = commits.enumerated().map { place, commit in
      HistoryRecord(
        commit: commit, date: "2026-01-0\(commit)T00:00:00Z", plan: "p", key: key,
        value: 3 + Double(place), count: 5, version: 1, machine: "x86_64")
    }
    return FigureSeries(plan: "p", key: key, version: 1, records: records)
  }

  /// The second voice has no value at the second commit.
  @Test func aVoiceThatLacksACommitKeepsItsPlaces() throws {
    let drawing = try #require(
      HistoryDrawings(
        [series("+4", ["1", "3"]), series("-5", ["1", "2", "3"])], figures: 2, command: "history"
      ).drawings().first)
    let plot = try #require(drawing.plot as? CurvePlot)
    #expect(plot.series.map { $0.points.map(\.x) } == [[1, 3], [1, 2, 3]])
    #expect(drawing.title.contains("3 commits") && drawing.shows.contains("3 is 3"))
  }
}
