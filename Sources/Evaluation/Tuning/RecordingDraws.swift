import DSP
import Platform
import Statistics

/// Bootstrap draws of recordings, shared by all settings: how sure a recommendation is.
///
/// Recordings are drawn within their register, so every draw has as many of each register as the run.
struct RecordingDraws: Sendable {

  /// How often each recording is in each draw.
  let times: [[Int]]

  static let confidence = 0.95

  /// - Parameters:
  ///   - strata: columns of each register.
  ///   - recordings: number of recordings.
  init(strata: [[Int]], recordings: Int, draws: Int, seed: UInt64 = 1) {
    var random = SeededGenerator(seed: seed)
    times = (0..<draws).map { _ in
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
    let standings = times.concurrentMap(rule.standings).filter { !rule.best(of: $0).isEmpty }
    guard let rows = standings.first?.indices else { return nil }
    let front = countsFront ? standings.concurrentMap { ParetoFront.members(of: $0) } : []
    let chosen = standings.map { all in
      rule.best(of: all).first { all[$0].isEligible }
    }
    func share(_ count: Int) -> Double { Double(count) / Double(standings.count) }
    return Shares(
      front: countsFront ? rows.map { row in share(front.count { $0[row] }) } : [],
      eligible: rows.map { row in share(standings.count { $0[row].isEligible }) },
      chosen: rows.map { row in share(chosen.count { $0 == row }) }, used: standings.count)
  }

  /// Returns the bootstrap confidence interval of a figure.
  ///
  /// - Parameter defined: number of recordings with a value.
  /// - Throws: if fewer recordings have a value than show their own spread.
  func interval(
    recordings defined: Int, _ figure: @Sendable ([Int]) -> Double?
  ) throws(Refusal) -> ClosedRange<Double> {
    guard defined >= Statistics.minSpreadCount else {
      throw Refusal(
        "too few independent recordings for their spread: \(defined) of \(Statistics.minSpreadCount)"
      )
    }
    let values = times.concurrentMap(figure).compactMap(\.self)
    guard values.count * 20 >= times.count * 19 else {
      throw Refusal("the mean has no value for these recordings")
    }
    let tail = (1 - Self.confidence) / 2
    return Statistics.quantile(values, tail)!...Statistics.quantile(values, 1 - tail)!
  }
}
