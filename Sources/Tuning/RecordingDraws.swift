import DSP
import Statistics

/// Bootstrap draws of recordings, shared by all settings.
///
/// The draws equal those of `ClusterBootstrap` with the same settings. Values are sorted once, so
/// the median of a draw costs one pass over the recordings.
struct RecordingDraws: Sendable {
  let recordings: Int
  let settings: ClusterBootstrap.Settings
  /// Count of each recording in each draw, one draw after the other.
  private let times: [Int32]

  init(recordings: Int, settings: ClusterBootstrap.Settings) {
    self.recordings = recordings
    self.settings = settings
    var random = SeededGenerator(seed: settings.seed)
    var times = [Int32](repeating: 0, count: recordings * settings.draws)
    for draw in 0..<settings.draws {
      for _ in 0..<recordings {
        times[draw * recordings + Int(random.uniform() * Double(recordings))] += 1
      }
    }
    self.times = times
  }

  var count: Int { settings.draws }

  /// Returns the median of each draw; `nil` if the draw has no recording with a value.
  ///
  /// - Parameter values: one for each recording.
  func medians(of values: [Double?]) -> [Double?] {
    let known = values.indices.filter { values[$0] != nil }.sorted { values[$0]! < values[$1]! }
    let sorted = known.map { values[$0]! }
    return (0..<count).map { draw in
      let start = draw * recordings
      let total = known.reduce(0) { $0 + Int(times[start + $1]) }
      guard total > 0 else { return nil }
      var (passed, lower): (Int, Double?) = (0, nil)
      for (place, recording) in known.enumerated() {
        passed += Int(times[start + recording])
        if lower == nil, passed > (total - 1) / 2 { lower = sorted[place] }
        if passed > total / 2 { return (lower! + sorted[place]) / 2 }
      }
      return nil
    }
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
