import DSP

/// Searches the sound around a mark for the lag at which it repeats, and for the peak of its energy.
///
/// All times are in samples of the sound.
struct PeriodSearch {
  /// Shortest period.
  let shortest: Double
  /// Sound needed after a mark, in periods.
  let lookAheadPeriods: Double
  /// Maximum relative change from one period to the next.
  let widestChange: Double

  /// A lag at which the sound around the last mark repeats.
  struct Repetition: BitwiseCopyable {
    var period: Double
    var correlation: Double
  }

  /// Correlation of two periods above which the nearest lag is accepted without a wider search.
  private static var goodCorrelation: Double { @_noLocks get { 0.65 } }
  /// Maximum lag difference of the wider search, in periods: a fourth down or a fifth up.
  private static var widestLeap: Double { @_noLocks get { 0.35 } }

  /// Minimum correlation of neighbouring periods where a voice begins; hiss, and a ring that the
  /// next pulse interrupts, stay below it.
  private static var heldCorrelation: Float { @_noLocks get { 0.3 } }

  /// The correlation of the newest `span` samples with those one period earlier.
  @_noLocks func correlation(
    _ period: Double, over span: Double, in heard: borrowing HistoryBuffer
  ) -> Float {
    let (count, lag) = (Int(span + 0.5), Int(period + 0.5))
    let start = heard.count - count
    guard start - lag > heard.oldest else { return 0 }
    return heard.correlation(start - lag, start, count: count)
  }

  /// True if the newest `span` samples repeat, period after period.
  @_noLocks func repeats(
    _ period: Double, for span: Double, in heard: borrowing HistoryBuffer
  ) -> Bool {
    let count = Int(period + 0.5)
    let newest = heard.count - count
    var start = newest
    while span > 0, Double(newest - start) < span {
      start -= count
      guard start > heard.oldest,
        heard.correlation(start, start + count, count: count) > Self.heldCorrelation
      else { return false }
    }
    return true
  }

  /// Finds the repetition uphill from `guess` or, if that fits badly, the best one within a wider
  /// range.
  @_noLocks func repetition(
    _ guess: Double, after mark: Double, in heard: borrowing HistoryBuffer
  ) -> Repetition? {
    let count = Int(guess + 0.5)
    let after = min(lookAheadPeriods, 0.5) * guess
    let start = Int(mark + after) - count
    // The longest lag that the sound so far allows.
    let longest = heard.count - 2 - start - count
    guard start > heard.oldest, longest > count else { return nil }
    let near = climb(from: count, to: Int(widestChange * guess) + 1, start, longest, heard)
    if let near, near.correlation > Self.goodCorrelation { return finer(near, start, count, heard) }
    let widest = Int(Self.widestLeap * guess) + 1
    let (lowest, highest) = (max(Int(shortest), count - widest), min(count + widest, longest))
    guard lowest <= highest else { return near }
    let other = best(of: lowest...highest, start, count, heard)
    guard let near else { return other }
    if let other, other.correlation > near.correlation + 0.1 { return other }
    return near
  }

  /// Refines a lag to sub-sample resolution, if the sound at the lag has arrived.
  @_noLocks private func finer(
    _ found: Repetition, _ start: Int, _ count: Int, _ heard: borrowing HistoryBuffer
  ) -> Repetition {
    let whole = Int(found.period)
    guard start + whole + count + 3 <= heard.count else { return found }
    let rest = heard.finerLag(
      start, start + whole, guess: found.period - Double(whole), count: count)
    return Repetition(period: Double(whole) + rest, correlation: found.correlation)
  }

  /// Climbs the correlation from the lag `count`, which is also the number of samples compared, by
  /// at most `widest`.
  @_noLocks private func climb(
    from count: Int, to widest: Int, _ start: Int, _ longest: Int,
    _ heard: borrowing HistoryBuffer
  ) -> Repetition? {
    var lag = count
    var here = heard.correlation(start, start + lag, count: count)
    var below = heard.correlation(start, start + lag - 1, count: count)
    var above = heard.correlation(start, start + lag + 1, count: count)
    while below > here || above > here {
      let step = below > above ? -1 : 1
      lag += step
      guard abs(lag - count) < widest, lag < longest, lag > Int(shortest) else { return nil }
      let next = heard.correlation(start, start + lag + step, count: count)
      (below, here, above) = step < 0 ? (next, below, here) : (here, above, next)
    }
    return top(lag, below, here, above)
  }

  @_noLocks private func best(
    of lags: ClosedRange<Int>, _ start: Int, _ count: Int, _ heard: borrowing HistoryBuffer
  ) -> Repetition? {
    var (best, at) = (Float(Self.goodCorrelation), lags.lowerBound)
    for lag in lags {
      let value = heard.correlation(start, start + lag, count: count)
      if value > best { (best, at) = (value, lag) }
    }
    guard at > lags.lowerBound, at < lags.upperBound else { return nil }
    let below = heard.correlation(start, start + at - 1, count: count)
    let above = heard.correlation(start, start + at + 1, count: count)
    return top(at, below, best, above)
  }

  /// The maximum of the parabola through three neighbours.
  @_noLocks private func top(
    _ lag: Int, _ below: Float, _ here: Float, _ above: Float
  ) -> Repetition? {
    guard let offset = peakOffset(below, here, above) else { return nil }
    return Repetition(period: Double(lag) + Double(offset), correlation: Double(here))
  }

  /// The position of a mark within the period around `place`: 0.1 periods before the centre of the
  /// energy, which is the phase of its first harmonic.
  @_noLocks func energyPlace(
    _ place: Double, _ length: Double, in heard: borrowing HistoryBuffer
  ) -> Double {
    let count = Int(length + 0.5)
    let after = min(lookAheadPeriods, 0.5) * length
    let start = Int(place + after) - count
    guard start > heard.oldest, start + count <= heard.count else { return place }
    var (re, im) = (0.0, 0.0)
    let turn = 2 * Double.pi / Double(count)
    let (c, s) = (RealtimeMath.cosine(turn), RealtimeMath.sine(turn))
    var (x, y) = (1.0, 0.0)
    for n in 0..<count {
      let sample = Double(heard[start + n])
      re += sample * sample * x
      im += sample * sample * y
      (x, y) = (x * c - y * s, y * c + x * s)
    }
    guard re * re + im * im > 1e-24 else { return place }
    let middle = Double(start) + RealtimeMath.angle(im, re) / turn - 0.1 * length
    // Candidates lie one period apart; take the nearest.
    let turns = (middle - place) / length
    let whole = Double(Int(turns + (turns < 0 ? -0.5 : 0.5)))
    return middle - whole * length
  }
}
