/// Converts between time and the number of periods sung since the beginning of a stretch, by the
/// pitch alone.
///
/// The pitch is linear between frames and constant before the first and after the last.
struct PeriodCount {
  private let firstSeconds: Double
  private let hopSeconds: Double
  private let f0Hz: ArraySlice<Double>
  /// Number of periods at each frame, 0 at the first.
  private let counts: [Double]

  /// - Parameter frames: a stretch of `track` in which every frame has a pitch.
  init(_ track: PitchTrack, frames: Range<Int>) {
    precondition(!frames.isEmpty, "a stretch of voice has a frame")
    hopSeconds = track.hopSeconds
    firstSeconds = Double(frames.lowerBound) * hopSeconds
    f0Hz = track.f0Hz[frames]
    var (counts, sum) = ([0.0], 0.0)
    for (hz, next) in zip(f0Hz, f0Hz.dropFirst()) {
      sum += hopSeconds * (hz + next) / 2
      counts.append(sum)
    }
    self.counts = counts
  }

  /// The pitch at a time.
  func hz(atSeconds time: Double) -> Double {
    let position = min(max((time - firstSeconds) / hopSeconds, 0), Double(f0Hz.count - 1))
    let before = min(Int(position), max(f0Hz.count - 2, 0))
    let hz = f0Hz[f0Hz.startIndex + before]
    let next = f0Hz[min(f0Hz.startIndex + before + 1, f0Hz.endIndex - 1)]
    return hz + (position - Double(before)) * (next - hz)
  }

  /// The number of periods elapsed at a time; negative before the first frame.
  func periods(atSeconds time: Double) -> Double {
    let position = (time - firstSeconds) / hopSeconds
    guard position > 0 else { return position * hopSeconds * f0Hz[f0Hz.startIndex] }
    let before = min(Int(position), counts.count - 1)
    let elapsed = (position - Double(before)) * hopSeconds
    let hz = f0Hz[f0Hz.startIndex + before]
    guard before + 1 < counts.count else { return counts[before] + elapsed * hz }
    let rise = (f0Hz[f0Hz.startIndex + before + 1] - hz) / hopSeconds
    return counts[before] + elapsed * (hz + rise * elapsed / 2)
  }

  /// The time at which the given number of periods has elapsed.
  func seconds(atPeriods periods: Double) -> Double {
    guard periods > 0 else { return firstSeconds + periods / f0Hz[f0Hz.startIndex] }
    let before = lastFrame(before: periods)
    let start = firstSeconds + Double(before) * hopSeconds
    let (hz, left) = (f0Hz[f0Hz.startIndex + before], periods - counts[before])
    guard before + 1 < counts.count else { return start + left / hz }
    // The root of  hz t + rise t² / 2 = left, in the form that is stable without a rise.
    let rise = (f0Hz[f0Hz.startIndex + before + 1] - hz) / hopSeconds
    return start + 2 * left / (hz + max(0, hz * hz + 2 * rise * left).squareRoot())
  }

  /// The last frame at which at most `periods` have elapsed, at least 0; a binary search.
  private func lastFrame(before periods: Double) -> Int {
    var (frame, end) = (0, counts.count)
    while end - frame > 1 {
      let middle = (frame + end) / 2
      if counts[middle] <= periods { frame = middle } else { end = middle }
    }
    return frame
  }
}
