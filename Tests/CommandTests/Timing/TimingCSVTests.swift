import Testing

@testable import choir

@Suite struct TimingCSVTests {
  /// A quote within a field is doubled, as RFC 4180 asks.
  @Test func quotesWithinAFieldAreDoubled() {
    let row = TimingRun.Row(
      process: .none, source: "live", effects: #"the "wet" one, alone"#, reportedMs: 0,
      sourceRealtimeFactor: 0, processRealtimeFactor: 0, effectsRealtimeFactor: 0)
    let lines = AppTiming.csv([row]).split(whereSeparator: \.isNewline)
    #expect(lines[1].hasPrefix(#"none,live,"the ""wet"" one, alone",0,"#), "\(lines[1])")
  }
}
