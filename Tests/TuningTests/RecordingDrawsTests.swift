import Statistics
import Testing

@testable import Tuning

@Suite struct RecordingDrawsTests {
  private static let settings: ClusterBootstrap.Settings = {
    var settings = ClusterBootstrap.Settings()
    (settings.method, settings.seed) = (.percentile, 5)
    return settings
  }()

  /// The second source is `ClusterBootstrap` with the same draws, value by value.
  @Test(arguments: [[3.0, 1, 4, 1, 5, 9, 2], [1, 1, 1, 2, 2, 8]])
  func mediansAreThoseOfTheClusterBootstrap(values: [Double]) throws {
    let draws = RecordingDraws(recordings: values.count, settings: Self.settings)
    let interval = try draws.interval(
      of: draws.medians(of: values), recordings: values.count)
    let expected = try ClusterBootstrap(Self.settings).estimate(of: values) {
      Statistics.median($0)
    }
    #expect(interval == expected.interval)
  }

  @Test func aDrawWithoutAValueHasNone() throws {
    var settings = Self.settings
    settings.draws = 1000
    let draws = RecordingDraws(recordings: 5, settings: settings)
    let drawn = draws.medians(of: [7, nil, nil, nil, nil])
    #expect(drawn.compactMap(\.self).allSatisfy { $0 == 7 })
    // (4/5)^5 = 0.328 of draws miss the one recording; three standard errors are 0.045.
    #expect(abs(Double(drawn.count { $0 == nil }) / 1000 - 0.328) < 0.045)
    #expect(throws: ClusterBootstrap.Failure.tooFewClusters(1)) {
      try draws.interval(of: drawn, recordings: 1)
    }
  }

  @Test func noRecordings() {
    let draws = RecordingDraws(recordings: 0, settings: Self.settings)
    #expect(draws.medians(of: []).allSatisfy { $0 == nil })
  }
}
