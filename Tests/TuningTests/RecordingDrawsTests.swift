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
    let draws = RecordingDraws(strata: [Array(values.indices)], settings: Self.settings)
    let interval = try draws.interval(
      of: draws.worst(of: values, .median), recordings: values.count)
    let expected = try ClusterBootstrap(Self.settings).estimate(of: values) {
      Statistics.median($0)
    }
    #expect(interval == expected.interval)
  }

  @Test func aDrawWithoutAValueHasNone() throws {
    var settings = Self.settings
    settings.draws = 1000
    let draws = RecordingDraws(strata: [Array(0..<5)], settings: settings)
    let drawn = draws.worst(of: [7, nil, nil, nil, nil], .median)
    #expect(drawn.compactMap(\.self).allSatisfy { $0 == 7 })
    // (4/5)^5 = 0.328 of draws miss the one recording; three standard errors are 0.045.
    #expect(abs(Double(drawn.count { $0 == nil }) / 1000 - 0.328) < 0.045)
    #expect(throws: ClusterBootstrap.Failure.tooFewClusters(1)) {
      try draws.interval(of: drawn, recordings: 1)
    }
  }

  @Test func noRecordings() {
    let draws = RecordingDraws(strata: [], settings: Self.settings)
    #expect(draws.worst(of: [], .median).allSatisfy { $0 == nil })
  }

  /// The only bass is in every draw, and its value is the worst register's.
  @Test func everyDrawHasAsManyOfEachRegister() {
    let draws = RecordingDraws(strata: [[1], [0, 2, 3]], settings: Self.settings)
    for draw in 0..<draws.count {
      #expect(draws.times(1, in: draw) == 1)
      #expect([0, 2, 3].reduce(0) { $0 + draws.times($1, in: draw) } == 3)
    }
    let drawn = draws.worst(of: [1, 9, 2, 3], .median)
    #expect(drawn.allSatisfy { $0 == 9 })
  }

  /// 2, 2, 5 and 5, 5: the median of five is 5, of the first four 3.5; the fourth of five is 5.
  @Test func figuresCountValuesSeveralTimes() {
    #expect(RecordingDraws.Part.median.value([2, 5], [2, 3], total: 5) == 5)
    #expect(RecordingDraws.Part.median.value([2, 5], [2, 2], total: 4) == 3.5)
    #expect(RecordingDraws.Part.median.value([2, 5], [0, 0], total: 0) == nil)
    #expect(RecordingDraws.Part.ranked { $0 - 1 }.value([2, 5], [2, 3], total: 5) == 5)
    #expect(RecordingDraws.Part.ranked { _ in 2 }.value([2, 5], [2, 3], total: 5) == 2)
  }
}
