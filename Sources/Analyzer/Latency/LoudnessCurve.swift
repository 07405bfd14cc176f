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
    let sums = signal.finitePowers.runningSums
    values = (0..<Int(Double(signal.count) / step)).map { index in
      let centre = Double(index) * step
      let to = min(signal.count, Int(centre + half))
      let from = min(to, max(0, Int(centre - half)))
      return max(0, (sums[to] - sums[from]) / Double(max(1, to - from))).squareRoot()
    }
  }

  private init(values: [Double]) { self.values = values }

  /// The curve without the ripple of periods: under a triangle of 40 ms, whose spectrum has its first
  /// zero at 50 Hz.
  var withoutRipple: LoudnessCurve {
    let half = Int(0.010 * 1000 / Self.stepMs)
    return LoudnessCurve(values: values.means(of: -half..<half).means(of: -half..<half))
  }

  var isSilent: Bool { !values.contains { $0 > 0 } }

  /// Returns the correlation of this curve with `other`, `lag` steps later, -1 to 1; 0 if either is
  /// constant.
  func correlation(with other: LoudnessCurve, lag: Int) -> Double {
    let (from, to) = (max(-lag, 0), min(values.count, other.values.count - lag))
    guard to - from >= Self.minCount(of: min(values.count, other.values.count)) else { return 0 }
    var (a, b, product) = (Sums(), Sums(), 0.0)
    for i in from..<to {
      let (x, y) = (values[i], other.values[i + lag])
      a.add(x)
      b.add(y)
      product += x * y
    }
    return Self.correlation(a, b, product, count: to - from)
  }

  /// Returns the fewest steps that are correlated: 10 ms, and half of all. At larger lags the few steps
  /// that are left correlate by chance.
  private static func minCount(of count: Int) -> Int { max(21, count / 2) }

  /// The sum of some values, and that of their squares.
  private struct Sums {
    var values = 0.0
    var squares = 0.0

    mutating func add(_ value: Double) {
      values += value
      squares += value * value
    }

    /// Returns the sums of the first values, by their number from 0 on.
    static func running(over values: some Sequence<Double>) -> [Sums] {
      var sums = Sums()
      return [sums]
        + values.map { value -> Sums in
          sums.add(value)
          return sums
        }
    }
  }

  private static func correlation(_ a: Sums, _ b: Sums, _ product: Double, count: Int) -> Double {
    let count = Double(count)
    let varianceA = a.squares - a.values * a.values / count
    let varianceB = b.squares - b.values * b.values / count
    guard varianceA > 1e-12 * a.squares, varianceB > 1e-12 * b.squares else { return 0 }
    return (product - a.values * b.values / count) / (varianceA * varianceB).squareRoot()
  }

  /// Returns the correlations with all of a curve of the same length. What overlaps at a lag is the
  /// beginning of one curve and the end of the other, whose sums are taken once for all lags.
  private func correlations(with other: LoudnessCurve, in lags: ClosedRange<Int>) -> [Double] {
    precondition(values.count == other.values.count, "curves of one length")
    let (beginnings, ends) = (
      [self, other].map { Sums.running(over: $0.values) },
      [self, other].map { Sums.running(over: $0.values.reversed()) }
    )
    return lags.map { lag -> Double in
      let count = values.count - abs(lag)
      guard count >= Self.minCount(of: values.count) else { return 0 }
      let product = dot(values, from: max(0, -lag), other.values, from: max(0, lag), count: count)
      return lag < 0
        ? Self.correlation(ends[0][count], beginnings[1][count], product, count: count)
        : Self.correlation(beginnings[0][count], ends[1][count], product, count: count)
    }
  }

  /// Distance of another maximum of the correlation that does not belong to the first.
  private static let apartMs = 60.0

  /// Returns the lag of the highest correlation in fractional steps, `nil` at an end of `lags`, and how
  /// well another lag would do (`WaveformDelay.ambiguity`).
  func bestLag(
    of other: LoudnessCurve, in lags: ClosedRange<Int>
  ) -> (lag: Double?, end: Int, correlation: Double, ambiguity: Double) {
    let correlations =
      other.values.count == values.count
      ? correlations(with: other, in: lags) : lags.map { correlation(with: other, lag: $0) }
    let best = correlations.indices.max { correlations[$0] < correlations[$1] }!
    let (whole, top) = (lags.lowerBound + best, correlations[best])
    let ambiguity = WaveformDelay.ambiguity(
      of: best, in: correlations, apart: Int(Self.apartMs / Self.stepMs))
    guard best > 0, best < correlations.count - 1 else { return (nil, whole, top, ambiguity) }
    let offset = peakOffset(correlations[best - 1], top, correlations[best + 1]) ?? 0
    return (Double(whole) + offset, whole, top, ambiguity)
  }
}

extension Signal {
  /// Loudness without the ripple of periods, sweeps and grains: a running mean of the power over
  /// 60 ms, applied twice.
  ///
  /// It has no delay of its own, so the outlines of an input and its output may be aligned by
  /// `OnsetDelay(ofOutline:from:)`.
  package var slowOutline: Signal {
    let half = Int(0.030 * sampleRateHz)
    let power = finitePowers.means(of: -half..<half + 1).means(of: -half..<half + 1)
    return Signal(power.map { Float(max(0, $0).squareRoot()) }, sampleRateHz: sampleRateHz)
  }

  /// The power of each sample; 0 where it is no number.
  fileprivate var finitePowers: [Double] {
    samples.map { $0.isFinite ? Double($0) * Double($0) : 0 }
  }
}

extension [Double] {
  /// The means of the numbers at a range of distances from each; fewer count at the ends.
  fileprivate func means(of distances: Range<Int>) -> [Double] {
    let sums = runningSums
    return indices.map { i in
      let from = Swift.max(0, i + distances.lowerBound)
      let to = Swift.min(count, i + distances.upperBound)
      return (sums[to] - sums[from]) / Double(to - from)
    }
  }
}
