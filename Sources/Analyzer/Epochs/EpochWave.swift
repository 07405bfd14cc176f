import DSP
import Foundation

/// A stretch of voice and the candidates for marks of its periods.
///
/// Positions are in samples from the beginning of the sound; they may be fractional.
struct EpochWave {
  private struct Peak {
    var place: Double
    /// Position in periods from the beginning of the stretch.
    var periods: Double
    /// Height relative to the highest peak within a period.
    var strength: Double
    var score = 0.0
    var previous: Int?
  }

  /// One over the likely error, in periods, of a peak, a repetition and the pitch. In `OfflineShifter` 20 for a
  /// peak, 100 or 500 for the pitch are as good (.02 to .03 % of the frames of singing wrong,
  /// scripts/peers/people.py); without the pitch .05.
  private static let (peakTrust, repetitionTrust, pitchTrust) = (10.0, 500.0, 250.0)

  private let samples: [Float]
  private let rateHz: Double
  private let range: Range<Int>
  private let clock: PeriodCount
  /// Positions in periods of the beginning and end of the stretch.
  private let (start, end): (Double, Double)
  /// Sign of the voice's sharper peaks, 1 or -1.
  private let polarity: Float

  /// - Parameter frames: voiced frames of `track`; the stretch reaches half a hop beyond them.
  init(_ samples: [Float], rateHz: Double, track: PitchTrack, frames: Range<Int>) {
    self.samples = samples
    self.rateHz = rateHz
    clock = PeriodCount(track, frames: frames)
    let hop = track.hopSeconds * rateHz
    let from = max(0, (Double(frames.lowerBound) - 0.5) * hop)
    let to = (Double(frames.upperBound) - 0.5) * hop
    let first = min(max(1, Int(from)), max(1, samples.count - 1))
    range = first..<max(first, min(Int(to), samples.count - 1))
    start = clock.periods(atSeconds: Double(range.lowerBound) / rateHz)
    end = clock.periods(atSeconds: Double(range.upperBound) / rateHz)
    let skew = range.reduce(Float(0)) { sum, i in
      sum + samples[i] * samples[i] * samples[i]
    }
    polarity = skew < 0 ? -1 : 1
  }

  /// The period at a place, in samples.
  func period(_ place: Double) -> Double { rateHz / clock.hz(atSeconds: place / rateHz) }

  /// Returns the best chain of peaks, each a whole number of periods after the last.
  ///
  /// It skips peaks that are too weak or too far from their expected position. A period without a
  /// peak costs as much as a highest peak earns.
  func chain(spacingCost: Double) -> [Double] {
    var peaks = self.peaks()
    for at in peaks.indices {
      // The first mark should lie in the first period.
      var (best, from) = (-max(0, peaks[at].periods - start - 1), Int?.none)
      var nearest: Double?
      for before in (0..<at).reversed() {
        let spacing = peaks[at].periods - peaks[before].periods
        guard spacing > 0.6 else { continue }
        // One period may be skipped, or as many as needed to reach the next peak.
        if let nearest, spacing > max(2.5, nearest + 1) { break }
        nearest = nearest ?? spacing
        let whole = max(1, spacing.rounded())
        let octaves = log2(spacing / whole)
        let score = peaks[before].score - (whole - 1) - spacingCost * octaves * octaves
        if score > best { (best, from) = (score, before) }
      }
      peaks[at].score = peaks[at].strength + best
      peaks[at].previous = from
    }
    // The last mark should lie in the last period.
    var at = peaks.indices.max { a, b in
      peaks[a].score + min(0, peaks[a].periods - end + 1)
        < peaks[b].score + min(0, peaks[b].periods - end + 1)
    }
    var places: [Double] = []
    while let peak = at {
      places.append(peaks[peak].place)
      at = peaks[peak].previous
    }
    return places.reversed()
  }

  /// Returns a chain with the skipped periods marked by the pitch, to both ends of the stretch.
  func filled(_ places: [Double]) -> [Double] {
    let known = places.map { clock.periods(atSeconds: $0 / rateHz) }
    // A voice without peaks is marked at the middle of its periods.
    var counts = [known.first ?? start + 0.5]
    while counts[0] - 1 >= start { counts.insert(counts[0] - 1, at: 0) }
    for (last, next) in zip(known, known.dropFirst()) {
      let steps = max(1, (next - last).rounded())
      counts += (1...Int(steps)).map { last + (next - last) * Double($0) / steps }
    }
    while counts[counts.count - 1] + 1 <= end { counts.append(counts[counts.count - 1] + 1) }
    // A period needs two marks.
    if counts.count == 1, end - start >= 1 { counts.append(counts[0] + 1) }
    return counts.map { clock.seconds(atPeriods: $0) * rateHz }
  }

  private func peaks() -> [Peak] {
    var found: [Peak] = []
    for i in range {
      let (a, b, c) = (
        polarity * samples[i - 1], polarity * samples[i], polarity * samples[i + 1]
      )
      guard b > 0, b > a, b >= c else { continue }
      let near = Int(period(Double(i)))
      let low = max(range.lowerBound, i - near)
      let high = min(range.upperBound - 1, i + near)
      let highest = samples[low...high].reduce(Float(0)) { max($0, polarity * $1) }
      guard b > 0.25 * highest else { continue }
      let place = Double(i) + Double(peakOffset(a, b, c) ?? 0)
      found.append(
        Peak(
          place: place, periods: clock.periods(atSeconds: place / rateHz),
          strength: Double(b / highest)))
    }
    return found
  }

  /// Returns the marks moved towards the spacing at which the waveform repeats, or else that of the pitch,
  /// with a pull back to their peaks: the least squares solution of all, a tridiagonal problem.
  func settled(_ places: [Double]) -> [Double] {
    guard places.count > 1 else { return places }
    var diagonal = [Double](repeating: 0, count: places.count)
    var beside = [Double](repeating: 0, count: places.count)
    var right = [Double](repeating: 0, count: places.count)
    for i in places.indices {
      let trust = pow(Self.peakTrust / period(places[i]), 2)
      diagonal[i] += trust
      right[i] += trust * places[i]
    }
    for i in places.indices.dropLast() {
      // Two peaks may belong to different pulses of their periods, and then say nothing of the spacing.
      let expected = period((places[i] + places[i + 1]) / 2)
      let repeated = repetition(from: places[i], lag: expected)
      let lag = repeated ?? expected
      let trust = pow((repeated == nil ? Self.pitchTrust : Self.repetitionTrust) / lag, 2)
      diagonal[i] += trust
      diagonal[i + 1] += trust
      beside[i] -= trust
      right[i] -= trust * lag
      right[i + 1] += trust * lag
    }
    for i in places.indices.dropFirst() {
      let factor = beside[i - 1] / diagonal[i - 1]
      diagonal[i] -= factor * beside[i - 1]
      right[i] -= factor * right[i - 1]
    }
    var moved = places
    for i in places.indices.reversed() {
      let later = i + 1 < places.count ? beside[i] * moved[i + 1] : 0
      moved[i] = (right[i] - later) / diagonal[i]
    }
    return moved
  }

  /// The lag near the expected one at which the sound around a mark correlates best.
  private func repetition(from first: Double, lag expected: Double) -> Double? {
    let (start, reach) = (Int(first.rounded()), Int(expected / 2))
    let widest = max(2, Int(0.1 * expected))
    let shortest = max(1, Int(expected.rounded()) - widest)
    let longest = Int(expected.rounded()) + widest
    guard start - reach >= 0, start + longest + reach + 2 < samples.count else { return nil }
    let values = (shortest - 1...longest + 1).map { normalizedCorrelation(start, $0, reach) }
    guard let best = values.indices.dropFirst().dropLast().max(by: { values[$0] < values[$1] }),
      values[best] > 0.6, values[best] >= values[best - 1], values[best] >= values[best + 1],
      let offset = peakOffset(values[best - 1], values[best], values[best + 1])
    else { return nil }
    return Double(shortest - 1 + best) + offset
  }

  private func normalizedCorrelation(_ middle: Int, _ lag: Int, _ reach: Int) -> Double {
    var (product, early, late) = (Float(1e-20), Float(1e-20), Float(1e-20))
    for n in middle - reach...middle + reach {
      let (a, b) = (samples[n], samples[n + lag])
      product += a * b
      early += a * a
      late += b * b
    }
    return Double(product / (early * late).squareRoot())
  }
}
