import DSP
import Statistics

/// Bootstrap draws of recordings, shared by all settings.
///
/// Recordings are drawn within their register, so every draw has as many of each register as the
/// run. With one register the draws equal those of `ClusterBootstrap` with the same settings. Values
/// are sorted once, so a quantile of a draw costs at most one pass over the recordings.
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

  /// The figure of one register from its values.
  enum Part {
    case median
    /// The value that is at a place, from 1 and from the smallest, of a number of values.
    case ranked(place: (_ count: Int) -> Int)
  }

  /// Returns for each draw the largest of the registers' figures; `nil` if the draw has no recording
  /// with a value.
  ///
  /// - Parameter values: one for each recording.
  /// - Cost: draws times the recordings beyond the wanted place: for a median half of them, for a
  ///   high rank a few.
  func worst(of values: [Double?], _ part: Part) -> [Double?] {
    var drawn = [Double?](repeating: nil, count: count)
    for columns in strata {
      let order = columns.filter { values[$0] != nil }.sorted { values[$0]! < values[$1]! }
      let unknown = columns.filter { values[$0] == nil }
      let sorted = order.map { values[$0]! }
      for draw in 0..<count {
        // A draw has as many recordings of a register as the run.
        var total = columns.count
        for column in unknown { total -= times(column, in: draw) }
        guard total > 0 else { continue }
        func value(at place: Int) -> Double {
          var beyond = total - place
          for index in order.indices.reversed() {
            beyond -= times(order[index], in: draw)
            if beyond <= 0 { return sorted[index] }
          }
          return sorted[0]
        }
        let figure =
          switch part {
          case .median: (value(at: (total - 1) / 2) + value(at: total / 2)) / 2
          case .ranked(let place): value(at: place(total) - 1)
          }
        if figure > drawn[draw] ?? -.infinity { drawn[draw] = figure }
      }
    }
    return drawn
  }

  /// Returns the bootstrap confidence interval of drawn values.
  ///
  /// - Throws: if fewer recordings have a value than show their own spread.
  func interval(
    of drawn: [Double?], recordings defined: Int
  ) throws(ClusterBootstrap.Failure) -> ClosedRange<Double> {
    guard defined >= ClusterBootstrap.minClusters else { throw .tooFewClusters(defined) }
    let values = drawn.compactMap(\.self)
    guard values.count * 20 >= count * 19 else { throw .undefined }
    let tail = (1 - settings.confidence) / 2
    return Statistics.quantile(values, tail)!...Statistics.quantile(values, 1 - tail)!
  }
}
