import Foundation

/// A pitch series against the truth, by the measures of mir_eval.melody with their names.
///
/// A negative pitch is a guess for a frame that the series calls unvoiced; 0 is no guess.
///
/// - Source: Salamon, Gómez, Ellis and Richard, "Melody extraction from polyphonic music signals", IEEE
///   Signal Processing Magazine 31, 2014; mir_eval 0.8.2, melody.evaluate.
public struct MelodyScore: Sendable {
  public var voicingRecall, voicingFalseAlarm: Double
  public var rawPitchAccuracy, rawChromaAccuracy, overallAccuracy: Double

  /// Largest distance of a right pitch.
  private static let toleranceCents = 50.0

  public init(of estimate: [PitchPoint], against reference: [PitchPoint]) {
    let wanted = Series(reference)
    let found = Series(estimate).resampled(at: wanted.seconds)
    let voiced = wanted.isVoiced.count { $0 }
    let unvoiced = wanted.isVoiced.count - voiced
    var (recalled, alarms, pitches, chromas, right) = (0, 0, 0, 0, 0)
    for frame in wanted.seconds.indices {
      guard wanted.isVoiced[frame] else {
        if found.isVoiced[frame] { alarms += 1 } else { right += 1 }
        continue
      }
      if found.isVoiced[frame] { recalled += 1 }
      guard wanted.cents[frame] != 0, found.cents[frame] != 0 else { continue }
      let distance = abs(wanted.cents[frame] - found.cents[frame])
      let octaves = 1200 * (distance / 1200 + 0.5).rounded(.down)
      if abs(distance - octaves) < Self.toleranceCents { chromas += 1 }
      guard distance < Self.toleranceCents else { continue }
      pitches += 1
      if found.isVoiced[frame] { right += 1 }
    }
    func share(_ count: Int, of all: Int, otherwise: Double) -> Double {
      all == 0 ? otherwise : Double(count) / Double(all)
    }
    let isEmpty = wanted.seconds.isEmpty || estimate.isEmpty
    voicingRecall = share(recalled, of: voiced, otherwise: isEmpty ? 0 : 1)
    voicingFalseAlarm = share(alarms, of: unvoiced, otherwise: 0)
    rawPitchAccuracy = share(pitches, of: voiced, otherwise: 0)
    rawChromaAccuracy = share(chromas, of: voiced, otherwise: 0)
    overallAccuracy = isEmpty ? 0 : share(right, of: wanted.seconds.count, otherwise: 0)
  }

  /// The measures with the names of mir_eval.
  public var named: [(name: String, value: Double)] {
    [
      ("Voicing Recall", voicingRecall), ("Voicing False Alarm", voicingFalseAlarm),
      ("Raw Pitch Accuracy", rawPitchAccuracy), ("Raw Chroma Accuracy", rawChromaAccuracy),
      ("Overall Accuracy", overallAccuracy),
    ]
  }
}

/// A pitch series in cents above 10 Hz, from time 0 on.
private struct Series {
  var seconds: [Double] = []
  /// 0 without a pitch.
  var cents: [Double] = []
  var isVoiced: [Bool] = []

  init(_ points: [PitchPoint]) {
    guard let first = points.first else { return }
    let start = first.timeSeconds > 0 ? [PitchPoint(timeSeconds: 0, f0Hz: first.f0Hz)] : []
    for point in start + points {
      seconds.append(point.timeSeconds)
      cents.append(point.f0Hz == 0 ? 0 : 1200 * log2(abs(point.f0Hz) / 10))
      isVoiced.append(point.f0Hz > 0)
    }
  }

  /// Returns the series at other times: cents on lines between points, 0 and voicing from the last point.
  /// It is 0 and unvoiced after its end.
  func resampled(at times: [Double]) -> Series {
    let isSame =
      seconds.count == times.count
      && zip(seconds, times).allSatisfy { abs($0 - $1) <= 1e-8 + 1e-5 * abs($1) }
    if isSame { return self }
    guard !seconds.isEmpty else {
      var silent = self
      silent.seconds = times
      silent.cents = times.map { _ in 0 }
      silent.isVoiced = times.map { _ in false }
      return silent
    }
    func rounded(_ time: Double) -> Double { (time * 1e10).rounded(.toNearestOrEven) / 1e10 }
    var known = self
    known.seconds = seconds.map(rounded)
    let wanted = times.map(rounded)
    if let last = wanted.last, last > known.seconds.last! {
      known.seconds.append(last)
      known.cents.append(0)
      known.isVoiced.append(false)
    }
    // The last pitch goes on through gaps, so that no line leads down to 0.
    var held = known.cents
    for index in held.indices.dropFirst() where held[index] == 0 { held[index] = held[index - 1] }
    var result = Series([])
    var place = 0
    for time in wanted {
      while place + 1 < known.seconds.count, known.seconds[place + 1] <= time { place += 1 }
      var cents = 0.0
      if known.cents[place] != 0 {
        cents = held[place]
        if place + 1 < held.count {
          let span = known.seconds[place + 1] - known.seconds[place]
          cents += (held[place + 1] - held[place]) * (time - known.seconds[place]) / span
        }
      }
      result.seconds.append(time)
      result.cents.append(cents)
      result.isVoiced.append(known.isVoiced[place])
    }
    return result
  }
}
