import DSP

/// The root mean square of a sound under a window of 6 ms, every half millisecond: long enough to
/// remove the waveform, short enough to keep onsets.
struct LoudnessCurve {
  static let stepMs = 0.5

  let values: [Double]

  /// Computes the curve without infrasound.
  init(of signal: Signal) { self.init(ofOutline: signal.withoutInfrasound()) }

  /// Computes the curve of the unfiltered sound, infrasound included.
  init(ofOutline signal: Signal) {
    let step = Self.stepMs / 1000 * signal.sampleRateHz
    let half = 0.003 * signal.sampleRateHz
    var sums = [0.0]
    sums.reserveCapacity(signal.count + 1)
    for sample in signal.samples {
      let finite = sample.isFinite ? Double(sample) : 0
      sums.append(sums.last! + finite * finite)
    }
    values = (0..<Int(Double(signal.count) / step)).map { index in
      let centre = Double(index) * step
      let from = max(0, Int(centre - half))
      let to = min(signal.count, Int(centre + half))
      return max(0, (sums[to] - sums[from]) / Double(max(1, to - from))).squareRoot()
    }
  }

  var isSilent: Bool { !values.contains { $0 > 0 } }

  /// Returns the correlation of this curve with `other`, `lag` steps later, -1 to 1; 0 if either is
  /// constant.
  ///
  /// - Parameter range: steps of this curve to compare; all if `nil`.
  func correlation(with other: LoudnessCurve, lag: Int, over range: Range<Int>? = nil) -> Double {
    let from = max(range?.lowerBound ?? 0, -lag, 0)
    let to = min(range?.upperBound ?? values.count, values.count, other.values.count - lag)
    guard to - from > 20 else { return 0 }
    let count = Double(to - from)
    var (sumA, sumB, squareA, squareB, product) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in from..<to {
      let (x, y) = (values[i], other.values[i + lag])
      sumA += x
      sumB += y
      squareA += x * x
      squareB += y * y
      product += x * y
    }
    let varianceA = squareA - sumA * sumA / count
    let varianceB = squareB - sumB * sumB / count
    guard varianceA > 1e-12 * squareA, varianceB > 1e-12 * squareB else { return 0 }
    return (product - sumA * sumB / count) / (varianceA * varianceB).squareRoot()
  }

  /// Returns the lag of the highest correlation in fractional steps; `nil` at an end of `lags`.
  func bestLag(
    of other: LoudnessCurve, in lags: ClosedRange<Int>, over range: Range<Int>? = nil
  ) -> (lag: Double?, end: Int, correlation: Double) {
    let correlations = lags.map { correlation(with: other, lag: $0, over: range) }
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }!
    let top = correlations[best]
    let whole = lags.lowerBound + best
    guard best > 0, best < correlations.count - 1 else { return (nil, whole, top) }
    let (below, above) = (correlations[best - 1], correlations[best + 1])
    let curvature = below - 2 * top + above
    let offset = curvature < 0 ? (below - above) / (2 * curvature) : 0
    return (Double(whole) + offset, whole, top)
  }
}
