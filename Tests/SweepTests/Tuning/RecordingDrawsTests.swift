import DSP
import EvaluationSupport
import Statistics
import TestSupport
import Testing

@testable import Corpus
@testable import Sweep
@testable import Tuning

@Suite struct RecordingDrawsTests {
  /// Figures of one setting on recordings of the low and the high register.
  private func figures(
    _ latencyMs: [Double?], _ cents: [Double?], low: Set<Int>, served: Double = 0.9
  ) -> TuneFigures {
    let goal = TuneGoal(axes: [.latency, .pitch], served: served)
    let cells = latencyMs.indices.map { index in
      var values: [String: Double] = [:]
      values["latency.onset"] = latencyMs[index]
      values["pitch.abs_error"] = cents[index]
      return ToyRun.cell("r\(index)", [:], values)
    }
    let facts = latencyMs.indices.map {
      Tuner.Fact(id: "r\($0)", kind: "sung", voice: "v", medianF0Hz: low.contains($0) ? 100 : 500)
    }
    return TuneFigures(TuneTable(cells, goal: goal, facts: facts), goal)
  }

  /// The second source draws the same values one by one.
  @Test(arguments: [[3.0, 1, 4, 1, 5, 9, 2], [1, 1, 1, 2, 2, 8]])
  func mediansAreThoseOfPlainDraws(values: [Double]) throws {
    let figures = figures(values, values, low: [])
    let draws = RecordingDraws(
      strata: [Array(values.indices)], recordings: values.count, draws: 500, seed: 5)
    let interval = try draws.interval(recordings: values.count) {
      figures.figure(.latency, 0, $0)?.value
    }
    var random = SeededGenerator(seed: 5)
    let drawn = (0..<500).compactMap { _ in
      Statistics.median(values.map { _ in values[Int(random.uniform() * Double(values.count))] })
    }
    let ends = [0.025, 0.975].compactMap { Statistics.quantile(drawn, $0) }
    #expect(ends == [interval.lowerBound, interval.upperBound])
    expectRefusal("too few independent recordings for their spread: 4") {
      try draws.interval(recordings: 4) { _ in 1 }
    }
  }

  /// SciPy drew 200 000 times, this test 8000: a share of 2.5 % is counted within ±0.17 %, which moves
  /// an end by 1 % of the interval.
  @Test func intervalsAreThoseOfSciPy() throws {
    struct Vectors: Decodable {
      struct Bootstrap: Decodable {
        var values: [Double]
        var method, statistic: String
        var lower, upper: Double
      }
      var bootstrap: [Bootstrap]
    }
    let vectors = try golden("statistics.json", as: Vectors.self).bootstrap.filter {
      $0.method == "percentile" && $0.statistic == "mean"
    }
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let count = vector.values.count
      let draws = RecordingDraws(
        strata: [Array(0..<count)], recordings: count, draws: 8000, seed: 5)
      let found = try draws.interval(recordings: count) { times in
        zip(times, vector.values).reduce(0) { $0 + Double($1.0) * $1.1 } / Double(count)
      }
      let tolerance = 0.05 * (vector.upper - vector.lower)
      #expect(abs(found.lowerBound - vector.lower) < tolerance)
      #expect(abs(found.upperBound - vector.upper) < tolerance)
    }
  }

  @Test func noRecordings() {
    let draws = RecordingDraws(strata: [], recordings: 0, draws: 500, seed: 5)
    #expect(draws.times.allSatisfy(\.isEmpty) && draws.times.count == 500)
  }

  /// The only bass is in every draw, and its value is the worst register's.
  @Test func everyDrawHasAsManyOfEachRegister() {
    let draws = RecordingDraws(strata: [[1], [0, 2, 3]], recordings: 4, draws: 500, seed: 5)
    let figures = figures([1, 9, 2, 3], [1, 9, 2, 3], low: [1])
    for times in draws.times {
      #expect(times[1] == 1 && times.reduce(0, +) == 4)
      #expect(figures.figure(.latency, 0, times)?.value == 9)
      #expect(figures.figure(.pitch, 0, times)?.value == 9)
    }
  }

  /// The second source lists every value as often as a draw has it, and sorts the list.
  @Test(arguments: [[3.0, 1, 4, 1, 5, 9, 2, 6], [3.0, nil, 4, nil, 5, 9, nil, 6]])
  func figuresCountValuesSeveralTimes(values: [Double?]) {
    let strata = [[0, 2, 5], [1, 3, 4, 6, 7]]
    let figures = figures(values, values, low: [0, 2, 5], served: 0.8)
    let draws = RecordingDraws(strata: strata, recordings: 8, draws: 500, seed: 5)
    func expected(_ times: [Int], _ figure: ([Double]) -> Double) -> Double? {
      strata.compactMap { columns -> Double? in
        let all = columns.flatMap { column in
          Array(repeating: values[column], count: times[column]).compactMap(\.self)
        }
        return all.isEmpty ? nil : figure(all.sorted())
      }.max()
    }
    for times in draws.times {
      #expect(
        figures.figure(.latency, 0, times)?.value == expected(times) { Statistics.median($0)! })
      #expect(
        figures.figure(.pitch, 0, times)?.value
          == expected(times) { $0[max(1, Int((0.8 * Double($0.count)).rounded(.up))) - 1] })
    }
  }
}
