import Analyzer
import Foundation

/// A stretch of voice cut into periods by its marks, as a clock: so many periods after the first
/// mark it is such a time.
struct VoicedRun {
  /// Indices of its marks among all, and their times in samples.
  let marks: Range<Int>
  let times: [Double]

  /// The runs of a sound with at least `fewest` marks each; neighbours in one are about a period
  /// apart.
  static func runs(in epochs: [Epoch], fewest: Int = 3) -> [VoicedRun] {
    var runs: [VoicedRun] = []
    var first = 0
    for index in 0...epochs.count {
      let goesOn =
        index < epochs.count && index > first && epochs[index].isVoiced
        && epochs[index - 1].isVoiced
        && (index < first + 2
          || (0.5...2).contains(epochs[index].spacingSamples / epochs[index - 1].spacingSamples))
      if goesOn { continue }
      if index - first >= fewest {
        runs.append(
          VoicedRun(marks: first..<index, times: epochs[first..<index].map(\.timeSamples)))
      }
      first = index
    }
    return runs
  }

  /// The longest period.
  var longestSamples: Double { zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0 }

  /// When `periods` have passed since the first mark: a smooth curve through the marks
  /// (Catmull and Rom's).
  func time(atPeriods periods: Double) -> Double {
    let last = times.count - 1
    let before = min(max(Int(periods), 0), last - 1)
    let share = periods - Double(before)
    let (from, to) = (times[before], times[before + 1])
    let rise = before > 0 ? (to - times[before - 1]) / 2 : to - from
    let next = before + 2 <= last ? (times[before + 2] - from) / 2 : to - from
    let (square, cube) = (share * share, share * share * share)
    return from * (2 * cube - 3 * square + 1) + rise * (cube - 2 * square + share)
      + to * (3 * square - 2 * cube) + next * (cube - square)
  }

  /// Where the marks of another voice fall that sings by `shift` higher, in periods of this one.
  func placesOfMarks(_ shift: ShiftCurve, sampleRateHz: Double) -> [Double] {
    func ratio(_ periods: Double) -> Double {
      exp2(shift.semitones(atSeconds: time(atPeriods: periods) / sampleRateHz) / 12)
    }
    var places: [Double] = []
    var place = 0.0
    while place <= Double(times.count - 1) {
      places.append(place)
      // The ratio in the middle of the step decides it, so that a glide is met to second order.
      place += 1 / ratio(place + 0.5 / ratio(place))
    }
    return places
  }
}
