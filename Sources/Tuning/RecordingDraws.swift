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

  /// The figure of one register from sorted values and how often each counts.
  enum Part {
    case median
    /// The value that is at a place, from 1, of so many values.
    case ranked(place: (_ count: Int) -> Int)

    func value(_ sorted: [Double], _ times: [Int], total: Int) -> Double? {
      guard total > 0 else { return nil }
      return switch self {
      case .median: median(sorted, times, total: total)
      case .ranked(let place): RecordingDraws.value(at: place(total) - 1, sorted, times)
      }
    }

    private func median(_ sorted: [Double], _ times: [Int], total: Int) -> Double {
      (RecordingDraws.value(at: (total - 1) / 2, sorted, times)
        + RecordingDraws.value(at: total / 2, sorted, times)) / 2
    }
  }

  /// Returns for each draw the largest of the registers' figures; `nil` if the draw has no recording
  /// with a value.
  ///
  /// - Parameter values: one for each recording.
  /// - Cost: draws times recordings; one list for each register is allocated, none for a draw.
  func worst(of values: [Double?], _ part: Part) -> [Double?] {
    var drawn = [Double?](repeating: nil, count: count)
    for columns in strata {
      let order = columns.filter { values[$0] != nil }.sorted { values[$0]! < values[$1]! }
      let sorted = order.map { values[$0]! }
      var held = [Int](repeating: 0, count: order.count)
      for draw in 0..<count {
        var total = 0
        for place in order.indices {
          held[place] = times(order[place], in: draw)
          total += held[place]
        }
        guard let value = part.value(sorted, held, total: total) else { continue }
        if value > drawn[draw] ?? -.infinity { drawn[draw] = value }
      }
    }
    return drawn
  }

  /// Returns the value at a place, from 0, of sorted values that count several times.
  private static func value(at place: Int, _ sorted: [Double], _ times: [Int]) -> Double {
    var passed = 0
    for index in sorted.indices {
      passed += times[index]
      if passed > place { return sorted[index] }
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
