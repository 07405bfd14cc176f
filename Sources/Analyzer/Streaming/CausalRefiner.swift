import DSP

/// Measures an approximately known period of a stream again, around an instant, with the sound
/// available so far.
///
/// It compares the sound before and after the instant, one period apart, over up to five periods,
/// so that a steady glide cancels. Near the newest sound the stretch shrinks to two periods, and
/// then moves into the past.
struct CausalRefiner {
  /// A period and the instant it belongs to, both in samples of the stream.
  struct Period: BitwiseCopyable {
    var samples: Double
    var middle: Double
    /// Correlation of the two stretches compared.
    var correlation: Double
  }

  /// Minimum half length in samples of the stretches compared, for short periods.
  let minReach: Double

  /// Returns the period near `expected` at the instant `wanted`; `nil` if the sound doesn't repeat
  /// within 6 % of it.
  @_noLocks func period(
    near expected: Double, at wanted: Double, in sound: borrowing HistoryBuffer
  ) -> Period? {
    let widest = expected * 1.06 + 2
    let room = Double(sound.count - 1) - wanted - widest / 2 - 1
    let reach = Int(
      min(max(room, max(0.5 * expected, 0.6 * minReach)), max(2 * expected, minReach)))
    let middle = Int(min(wanted, Double(sound.count - 2) - widest / 2 - Double(reach)))
    guard middle - reach - Int(widest) > sound.oldest else { return nil }
    var lag = Int(expected + 0.5)
    var here = correlation(lag, middle, reach, sound)
    var below = correlation(lag - 1, middle, reach, sound)
    var above = correlation(lag + 1, middle, reach, sound)
    while below > here || above > here {
      let step = below > above ? -1 : 1
      lag += step
      guard (Double(lag) - expected).magnitude < 0.06 * expected + 1 else { return nil }
      let next = correlation(lag + step, middle, reach, sound)
      (below, here, above) = step < 0 ? (next, below, here) : (here, above, next)
    }
    guard let offset = peakOffset(below, here, above) else { return nil }
    return Period(
      samples: Double(lag) + Double(offset), middle: Double(middle) + (lag % 2 == 0 ? 0 : 0.5),
      correlation: Double(here))
  }

  /// The correlation of the sound half a `lag` before and half a `lag` after each instant near
  /// `middle`.
  @_noLocks private func correlation(
    _ lag: Int, _ middle: Int, _ reach: Int, _ sound: borrowing HistoryBuffer
  ) -> Float {
    let start = middle - lag / 2 - reach
    return sound.correlation(start, start + lag, count: 2 * reach + 1)
  }
}
