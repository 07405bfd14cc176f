import DSP
import Platform
import Statistics

/// Bootstrap draws of recordings, shared by all settings: how sure a recommendation is.
///
/// Recordings are drawn within their register, so every draw has as many of each register as the run.
struct RecordingDraws: Sendable {
  /// How often each recording is in each draw.
  let times: [[Int]]
  private let confidence: Double

  /// - Parameters:
  ///   - strata: columns of each register.
  ///   - recordings: number of recordings.
  init(strata: [[Int]], recordings: Int, settings: ClusterBootstrap.Settings) {
    var random = SeededGenerator(seed: settings.seed)
    confidence = settings.confidence
    times = (0..<settings.draws).map { _ in
      var times = [Int](repeating: 0, count: recordings)
      for columns in strata {
        for _ in columns { times[columns[Int(random.uniform() * Double(columns.count))]] += 1 }
      }
      return times
    }
  }

  /// The shares of draws in which a rule picks each setting.
  struct Shares: Sendable {
    var front: [Double]
    var eligible: [Double]
    var chosen: [Double]
    /// Number of draws in which some setting has all figures.
    var used: Int
  }

  /// Returns the shares; `nil` if no draw ranks any setting.
  ///
  /// - Parameter countsFront: true to compute the shares of the front, which take most of the time.
  func shares(of rule: TuneRule, countsFront: Bool = true) -> Shares? {
    let verdicts = times.concurrentMap {
      times -> (front: [Bool], eligible: [Bool], chosen: Int?)? in
      let all = rule.standings(times)
      guard let best = TuneRule.best(of: all) else { return nil }
      return (
        countsFront ? ParetoFront.members(of: all) : [], all.map(\.isEligible),
        all[best].isEligible ? best : nil
      )
    }.compactMap(\.self)
    guard let first = verdicts.first else { return nil }
    let count = Double(verdicts.count)
    func share(_ holds: (Int) -> Int) -> [Double] {
      first.eligible.indices.map { Double(holds($0)) / count }
    }
    return Shares(
      front: countsFront ? share { row in verdicts.count { $0.front[row] } } : [],
      eligible: share { row in verdicts.count { $0.eligible[row] } },
      chosen: share { row in verdicts.count { $0.chosen == row } }, used: verdicts.count)
  }

  /// Returns the bootstrap confidence interval of a figure.
  ///
  /// - Parameter defined: number of recordings with a value.
  /// - Throws: if fewer recordings have a value than show their own spread.
  func interval(
    recordings defined: Int, _ figure: @Sendable ([Int]) -> Double?
  ) throws(ClusterBootstrap.Failure) -> ClosedRange<Double> {
    guard defined >= ClusterBootstrap.minClusters else { throw .tooFewClusters(defined) }
    let values = times.concurrentMap(figure).compactMap(\.self)
    guard values.count * 20 >= times.count * 19 else { throw .undefined }
    let tail = (1 - confidence) / 2
    return Statistics.quantile(values, tail)!...Statistics.quantile(values, 1 - tail)!
  }
}
