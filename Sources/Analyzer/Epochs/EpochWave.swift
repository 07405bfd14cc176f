import Foundation

/// One stretch of voice and where its periods may be marked.
struct EpochWave {
  private struct Peak {
    var place: Double
    /// Its height over that of the highest within a period.
    var strength: Double
    var score = 0.0
    var previous: Int?
  }

  private let samples: [Float]
  private let rateHz: Double
  private let track: PitchTrack
  private let range: Range<Int>
  /// 1 or -1: which side of zero the voice has its sharper peaks on.
  private let polarity: Float

  /// - Parameter run: from the first to the last voiced frame, in seconds.
  init(_ samples: [Float], rateHz: Double, track: PitchTrack, run: ClosedRange<Double>) {
    self.samples = samples
    self.rateHz = rateHz
    self.track = track
    let first = min(max(1, Int(run.lowerBound * rateHz)), max(1, samples.count - 1))
    range = first..<max(first, min(Int(run.upperBound * rateHz), samples.count - 1))
    let skew = range.reduce(Float(0)) { sum, i in
      sum + samples[i] * samples[i] * samples[i]
    }
    polarity = skew < 0 ? -1 : 1
  }

  /// The period at a place, in samples; that of the nearest voiced frame.
  func period(_ place: Double) -> Double {
    let frame = Int((place / rateHz / track.hopSeconds).rounded())
    for distance in 0..<track.count {
      for candidate in [frame - distance, frame + distance]
      where track.f0Hz.indices.contains(candidate) && track.f0Hz[candidate] > 0 {
        return rateHz / track.f0Hz[candidate]
      }
    }
    return rateHz / 100
  }

  /// The best chain of peaks a period apart.
  func chain(spacingCost: Double) -> [Double] {
    var peaks = self.peaks()
    for at in peaks.indices {
      let period = self.period(peaks[at].place)
      // The first mark had better be in the first period.
      let late = (peaks[at].place - Double(range.lowerBound)) / period
      var (best, from) = (-max(0, late - 1), Int?.none)
      for before in (0..<at).reversed() {
        let spacing = (peaks[at].place - peaks[before].place) / period
        if spacing > 1.7 { break }
        guard spacing > 0.6 else { continue }
        let octaves = log2(spacing)
        let score = peaks[before].score - spacingCost * octaves * octaves
        if score > best { (best, from) = (score, before) }
      }
      peaks[at].score = peaks[at].strength + best
      peaks[at].previous = from
    }
    var at = peaks.indices.max { peaks[$0].score < peaks[$1].score }
    var places: [Double] = []
    while let peak = at {
      places.append(peaks[peak].place)
      at = peaks[peak].previous
    }
    return places.reversed()
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
      let offset = Double((a - c) / (2 * (a - 2 * b + c)))
      found.append(Peak(place: Double(i) + offset, strength: Double(b / highest)))
    }
    return found
  }

  /// The marks moved so that their spacing is that at which the waveform repeats itself, as far as
  /// a stay near their peaks allows: the least squares of both, a tridiagonal problem.
  func settled(_ places: [Double]) -> [Double] {
    guard places.count > 1 else { return places }
    var diagonal = [Double](repeating: 0, count: places.count)
    var beside = [Double](repeating: 0, count: places.count)
    var right = [Double](repeating: 0, count: places.count)
    for i in places.indices {
      // A peak may be off by a twentieth of a period, a repetition by a five hundredth.
      let trust = pow(20 / period(places[i]), 2)
      diagonal[i] += trust
      right[i] += trust * places[i]
    }
    for i in places.indices.dropLast() {
      guard let lag = repetition(from: places[i], to: places[i + 1]) else { continue }
      let trust = pow(500 / lag, 2)
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

  /// The shift, near that from one mark to the next, at which the sound around them is most alike.
  private func repetition(from first: Double, to second: Double) -> Double? {
    let expected = second - first
    let (start, reach) = (Int(first.rounded()), Int(expected / 2))
    let widest = max(2, Int(0.1 * expected))
    let shortest = max(1, Int(expected.rounded()) - widest)
    let longest = Int(expected.rounded()) + widest
    guard start - reach >= 0, start + longest + reach + 2 < samples.count else { return nil }
    let values = (shortest - 1...longest + 1).map { alike(start, $0, reach) }
    guard let best = values.indices.dropFirst().dropLast().max(by: { values[$0] < values[$1] }),
      values[best] > 0.6, values[best] >= values[best - 1], values[best] >= values[best + 1]
    else { return nil }
    let curvature = values[best - 1] - 2 * values[best] + values[best + 1]
    guard curvature < 0 else { return nil }
    return Double(shortest - 1 + best) + (values[best - 1] - values[best + 1]) / (2 * curvature)
  }

  private func alike(_ middle: Int, _ lag: Int, _ reach: Int) -> Double {
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
