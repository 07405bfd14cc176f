import Testing

@testable import Analyzer

@Suite struct FormantTrackerPathTests {
  private static func resonances(_ frequenciesHz: [Double], bandwidthHz: Double = 80) -> [Formant] {
    frequenciesHz.map { Formant(frequencyHz: $0, bandwidthHz: bandwidthHz) }
  }

  private static func path(_ frames: [[Formant]?]) -> [[Double?]] {
    FormantTrackerPath().cheapest(through: frames).map { frame in
      (1...4).map { frame[$0]?.frequencyHz }
    }
  }

  /// The additional resonance alone would be the better F2, being nearer to 1650 Hz. Moving there
  /// and back costs twice log2(1650 / 1200) = 0.46, more than the 0.45 kHz that it is nearer.
  @Test func aBriefExtraResonanceIsSkipped() {
    let steady = Self.resonances([500, 1200, 2600, 3700])
    let disturbed = Self.resonances([500, 1200, 1650, 2600, 3700])
    #expect(
      Self.path([steady, steady, disturbed, steady, steady])
        == Array(repeating: [500, 1200, 2600, 3700], count: 5))
    #expect(Self.path([disturbed]) == [[500, 1650, 2600, 3700]])
  }

  @Test func aMissingFormantIsMissing() {
    let steady = Self.resonances([500, 1500, 2600, 3700])
    let short = Self.resonances([500, 2600, 3700])
    #expect(Self.path([steady, short, steady])[1] == [500, nil, 2600, 3700])
    #expect(Self.path([[], short])[0] == [nil, nil, nil, nil])
  }

  @Test func aSpectralSlopeIsSkipped() {
    let slope = Self.resonances([250], bandwidthHz: 900)
    #expect(
      Self.path([slope + Self.resonances([600, 1700, 2700, 3800])])
        == [[600, 1700, 2700, 3800]])
  }

  @Test func silenceSplitsTheSearch() {
    let low = Self.resonances([500, 1200, 2600, 3700])
    #expect(
      Self.path([nil, low, nil, nil, low, nil]).map { $0[1] } == [nil, 1200, nil, nil, 1200, nil])
    #expect(Self.path([]).isEmpty)
  }
}
