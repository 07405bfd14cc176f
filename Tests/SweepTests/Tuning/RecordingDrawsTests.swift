import DSP
import Statistics
import Testing

@testable import Tuning

@Suite struct RecordingDrawsTests {
  private static let settings: ClusterBootstrap.Settings = {
    var settings = ClusterBootstrap.Settings()
    settings.seed = 5
    return settings
  }()

  /// The second source draws the same values one by one.
  @Test(arguments: [[3.0, 1, 4, 1, 5, 9, 2], [1, 1, 1, 2, 2, 8]])
  func mediansAreThoseOfPlainDraws(values: [Double]) throws {
    let draws = RecordingDraws(strata: [Array(values.indices)], settings: Self.settings)
    let interval = try draws.interval(
      of: draws.worst(of: values, .median), recordings: values.count)
    var random = SeededGenerator(seed: 5)
    let drawn = (0..<Self.settings.draws).compactMap { _ in
      Statistics.median(values.map { _ in values[Int(random.uniform() * Double(values.count))] })
    }
    let ends = [0.025, 0.975].compactMap { Statistics.quantile(drawn, $0) }
    #expect(ends == [interval.lowerBound, interval.upperBound])
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

  /// The second source lists every value as often as a draw has it, and sorts the list.
  @Test(arguments: [[3.0, 1, 4, 1, 5, 9, 2, 6], [3.0, nil, 4, nil, 5, 9, nil, 6]])
  func figuresCountValuesSeveralTimes(values: [Double?]) {
    let strata = [[0, 2, 5], [1, 3, 4, 6, 7]]
    let draws = RecordingDraws(strata: strata, settings: Self.settings)
    func expected(_ draw: Int, _ figure: ([Double]) -> Double) -> Double? {
      strata.compactMap { columns -> Double? in
        let all = columns.flatMap { column in
          Array(repeating: values[column], count: draws.times(column, in: draw)).compactMap(\.self)
        }
        return all.isEmpty ? nil : figure(all.sorted())
      }.max()
    }
    let medians = draws.worst(of: values, .median)
    let ranked = draws.worst(of: values, .ranked { max(1, Int((0.8 * Double($0)).rounded(.up))) })
    for draw in 0..<draws.count {
      #expect(medians[draw] == expected(draw) { Statistics.median($0)! })
      #expect(
        ranked[draw]
          == expected(draw) { $0[max(1, Int((0.8 * Double($0.count)).rounded(.up))) - 1] })
    }
  }
}
