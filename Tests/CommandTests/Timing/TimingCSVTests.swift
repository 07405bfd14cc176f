import Testing

@testable import choir

@Suite struct TimingCSVTests {
  /// The time of a project's row stands under `elapsed_ms`.
  @Test func rowsOfProjectsHaveTheColumnsOfTheHeader() throws {
    let rows = try ProjectTimingRun(takeCounts: [1]).rows()
    let lines = Timing.csv([], rows).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let place = try #require(lines[0].firstIndex(of: "elapsed_ms"))
    #expect(lines.count == 6)
    for (line, row) in zip(lines.dropFirst(), rows) {
      try #require(line.count == lines[0].count)
      let elapsedMs = try #require(Double(line[place]))
      #expect(abs(elapsedMs - row.elapsedMs) <= 1e-5 * row.elapsedMs)  // six digits
    }
  }

  /// A quote within a field is doubled, as RFC 4180 asks.
  @Test func quotesWithinAFieldAreDoubled() {
    let row = TimingRun.Row(
      process: .none, source: "live", effects: #"the "wet" one, alone"#, reportedMs: 0,
      sourceRealtimeFactor: 0, processRealtimeFactor: 0, effectsRealtimeFactor: 0)
    let lines = Timing.csv([row], []).split(separator: "\n")
    #expect(lines[1].hasPrefix(#"none,live,"the ""wet"" one, alone",0,"#), "\(lines[1])")
  }
}
