import Analyzer
import DSP
import Foundation

/// A stretch of voice cut into periods by its marks: a clock that converts periods after the first
/// mark to time.
struct VoicedRun {
  /// Indices of its marks among all, and their times in samples.
  let marks: Range<Int>
  let times: [Double]

  /// The runs of a sound with at least `fewest` marks each. Within a run the pitch may leap; where two
  /// marks lie more than twice as far apart as those before and after, the voice has paused.
  static func runs(in epochs: [Epoch], fewest: Int = 2) -> [VoicedRun] {
    var runs: [VoicedRun] = []
    var first = 0
    for index in 0...epochs.count {
      if index < epochs.count, index > first, goesOn(epochs, to: index, from: first) { continue }
      if index - first >= fewest {
        runs.append(
          VoicedRun(marks: first..<index, times: epochs[first..<index].map(\.timeSamples)))
      }
      first = index
    }
    return runs
  }

  /// True if a run that began with mark `first` reaches from the mark before `index` to it.
  private static func goesOn(_ epochs: [Epoch], to index: Int, from first: Int) -> Bool {
    guard epochs[index].isVoiced, epochs[index - 1].isVoiced else { return false }
    let before = index - 1 > first ? epochs[index - 1].spacingSamples : nil
    let after =
      index + 1 < epochs.count && epochs[index + 1].isVoiced
      ? epochs[index + 1].spacingSamples : nil
    guard let longest = [before, after].compactMap(\.self).max() else { return true }
    return epochs[index].spacingSamples <= 2 * longest
  }

  /// The longest period.
  var longestSamples: Double { zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0 }

  /// Returns the time when `periods` have passed since the first mark: a smooth curve through the
  /// marks (Catmull and Rom's), which never turns back (Fritsch and Carlson's bound).
  func time(atPeriods periods: Double) -> Double {
    let last = times.count - 1
    let before = min(max(Int(periods), 0), last - 1)
    let share = periods - Double(before)
    let (from, to) = (times[before], times[before + 1])
    let rise = before > 0 ? slope(from - times[before - 1], to - from) : to - from
    let next = before + 2 <= last ? slope(to - from, times[before + 2] - to) : to - from
    let (square, cube) = (share * share, share * share * share)
    return from * (2 * cube - 3 * square + 1) + rise * (cube - 2 * square + share)
      + to * (3 * square - 2 * cube) + next * (cube - square)
  }

  /// The curve's slope at a mark between two periods.
  private func slope(_ before: Double, _ after: Double) -> Double {
    min((before + after) / 2, 3 * min(before, after))
  }

  /// Returns the marks of another voice that sings higher by `shift`, in periods of this one.
  func placesOfMarks(_ shift: ShiftCurve, sampleRateHz: Double) -> [Double] {
    func ratio(_ periods: Double) -> Double {
      frequencyRatio(
        ofSemitones: shift.semitones(atSeconds: time(atPeriods: periods) / sampleRateHz))
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
