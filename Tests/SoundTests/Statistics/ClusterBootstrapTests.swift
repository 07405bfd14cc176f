import DSP
import Foundation
import Statistics
import Testing

@Suite struct ClusterBootstrapTests {
  /// scipy drew 200 000 times, this test 8000: a share of 2.5 % is counted within ±0.17 %, which
  /// moves an end by 1 % of the interval, and by more for BCa, whose quantiles are further out,
  /// where draws are few.
  @Test func intervalsAreThoseOfScipy() throws {
    let vectors = try StatisticsVectors.read().bootstrap.filter {
      $0.method == "bca" && $0.statistic == "mean"
    }
    #expect(!vectors.isEmpty)
    for vector in vectors {
      var settings = ClusterBootstrap.Settings()
      settings.draws = 8000
      let found = try ClusterBootstrap(settings).estimate(ofMean: vector.values)
      let tolerance = 0.05 * (vector.upper - vector.lower)
      #expect(abs(found.lower - vector.lower) < tolerance)
      #expect(abs(found.upper - vector.upper) < tolerance)
    }
  }

  /// Recordings of eight frames that share most of their error. With 50 recordings, 95 % intervals
  /// of the grand mean contain the truth in P(|t| < 1.96 √(49 / 50)) = 94.2 % of sets, less 0.2 %
  /// for 600 draws. 500 sets count that within ±1.1 %; twice that is allowed. Resampled over
  /// frames, intervals contain it in about half.
  @Test func coverageEqualsTheConfidence() throws {
    var random = SeededGenerator(seed: 21)
    var settings = ClusterBootstrap.Settings()
    settings.draws = 600
    let bootstrap = try ClusterBootstrap(settings)
    var (byRecording, byFrame) = (0, 0)
    for set in 0..<500 {
      let recordings = (0..<50).map { _ in
        let own = normal(&random)
        return (0..<8).map { _ in own + 0.3 * normal(&random) }
      }
      // Recordings of equal length are represented by their means.
      let means = recordings.map { Statistics.mean($0)! }
      if try bootstrap.estimate(ofMean: means).interval.contains(0) { byRecording += 1 }
      guard set < 30 else { continue }
      let frames = recordings.flatMap { $0 }
      if try bootstrap.estimate(ofMean: frames).interval.contains(0) { byFrame += 1 }
    }
    #expect(459...481 ~= byRecording, "\(byRecording) of 500")
    #expect(byFrame < 23, "\(byFrame) of 30")
  }

  /// Means of draws of 20 irrational values hardly ever coincide, so other draws give other limits.
  @Test func theSeedDecidesTheDraws() throws {
    let values = (0..<20).map { (Double($0) + 2).squareRoot() }
    var settings = ClusterBootstrap.Settings()
    let first = try ClusterBootstrap(settings).estimate(ofMean: values)
    let again = try ClusterBootstrap(settings).estimate(ofMean: values)
    settings.seed += 1
    let other = try ClusterBootstrap(settings).estimate(ofMean: values)
    #expect(first == again)
    #expect(first.lower != other.lower && first.upper != other.upper)
  }

  @Test func unsuitableSamplesThrow() throws {
    let bootstrap = try ClusterBootstrap()
    #expect(throws: ClusterBootstrap.Failure.tooFewClusters(4)) {
      _ = try bootstrap.estimate(ofMean: [1, 2, 3, 4])
    }
    #expect(throws: ClusterBootstrap.Failure.undefined) {
      _ = try bootstrap.estimate(ofMean: [1, 2, 3, 4, .nan])
    }
    let same = try bootstrap.estimate(ofMean: [3, 3, 3, 3, 3])
    #expect(same.lower == 3 && same.upper == 3)
  }
}

/// A sum of twelve uniform draws, nearly normal.
func normal(_ random: inout SeededGenerator) -> Double {
  (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
}
