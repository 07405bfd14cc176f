import DSP
import Statistics

/// Bootstrap draws of recordings, shared by all settings.
///
/// Recordings are drawn within their register, so every draw has as many of each register as the
/// run. With one register the draws equal those of `ClusterBootstrap` with the same settings. Values
/// are sorted once, so a quantile of a draw costs one pass over the recordings.
struct RecordingDraws: Sendable {
  let recordings: Int
  let settings: ClusterBootstrap.Settings
  /// Columns of each register.
  private let strata: [[Int]]
  /// Count of each recording in each draw, one draw after the other.
  private let times: [Int32]

  /// - Parameter strata: columns of each register, every recording in one.
  init(strata: [[Int]], settings: ClusterBootstrap.Settings) {
    let recordings = strata.reduce(0) { $0 + $1.count }
    (self.recordings, self.strata, self.settings) = (recordings, strata, settings)
    var random = SeededGenerator(seed: settings.seed)
    var times = [Int32](repeating: 0, count: recordings * settings.draws)
    for draw in 0..<settings.draws {
      for columns in strata {
        for _ in columns {
          let place = Int(random.uniform() * Double(columns.count))
          times[draw * recordings + columns[place]] += 1
        }
      }
    }
    self.times = times
  }

  var count: Int { settings.draws }

  /// Returns how often a recording is in a draw.
  func times(_ column: Int, in draw: Int) -> Int { Int(times[draw * recordings + column]) }

  /// Returns for each draw the largest of the registers' values; `nil` if the draw has no recording
  /// with a value.
  ///
  /// - Parameters:
  ///   - values: one for each recording.
  ///   - part: the value of one register from sorted values and how often each counts.
  func worst(
    of values: [Double?], _ part: (_ sorted: [Double], _ times: [Int]) -> Double?
  ) -> [Double?] {
    let orders = strata.map { columns in
      columns.filter { values[$0] != nil }.sorted { values[$0]! < values[$1]! }
    }
    let sorted = orders.map { order in order.map { values[$0]! } }
    return (0..<count).map { draw in
      orders.indices.compactMap { stratum in
        part(sorted[stratum], orders[stratum].map { times($0, in: draw) })
      }.max()
    }
  }

  /// Returns the median of values that count several times.
  static func median(_ sorted: [Double], _ times: [Int]) -> Double? {
    let total = times.reduce(0, +)
    guard total > 0 else { return nil }
    return (value(at: (total - 1) / 2, sorted, times) + value(at: total / 2, sorted, times)) / 2
  }

  /// Returns the value at a place, from 0, of sorted values that count several times.
  static func value(at place: Int, _ sorted: [Double], _ times: [Int]) -> Double {
    var passed = 0
    for (value, count) in zip(sorted, times) {
      passed += count
      if passed > place { return value }
    }
    return sorted[sorted.count - 1]
  }

  /// Returns the bootstrap confidence interval of drawn values.
  ///
  /// - Throws: if fewer recordings have a value than show their own spread.
  func interval(
    of drawn: [Double?], recordings defined: Int
  ) throws(ClusterBootstrap.Failure) -> ClosedRange<Double> {
    guard defined >= ClusterBootstrap.fewestClusters else { throw .tooFewClusters(defined) }
    let values = drawn.compactMap(\.self)
    guard values.count * 20 >= count * 19 else { throw .undefined }
    let tail = (1 - settings.confidence) / 2
    return Statistics.quantile(values, tail)!...Statistics.quantile(values, 1 - tail)!
  }
}
