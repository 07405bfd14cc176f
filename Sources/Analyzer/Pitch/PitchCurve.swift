import Foundation

/// Converts averages over stretches of time to the pitch at each instant. It fits a short curve to
/// the surrounding measurements, each of which is the mean of the curve over its own stretch.
///
/// The mean of `a + b t + c t² + d t³` over a stretch around `m` with variance `v` is
/// `a + b m + c (m² + v) + d (m³ + 3 m v)`. Neither glides nor the curvature of a vibrato therefore
/// bias the result.
struct PitchCurve {
  /// Maximum distance in time of a measurement in the fit.
  private static let reachSeconds = 0.030
  /// Maximum error of a fit; larger ones indicate a step.
  private static let maxOctaves = 4.0 / 1200

  /// Measured factor on the deviation: the stretches have more independent values than the formula
  /// assumes.
  private static let deviationScale = 0.75

  /// Factor on the root mean square distance of the measurements from the curve, less their noise. The rest
  /// is motion that no cubic follows; measurements overlap, so that it is smaller than the error.
  private static let motionScale = 1.5

  private let points: [PeriodRefiner.Measurement?]
  private let voiced: [Bool]
  private let hopSeconds: Double

  /// - Parameter voiced: voicing of each frame; a curve never crosses its changes.
  init(_ points: [PeriodRefiner.Measurement?], voiced: [Bool], hopSeconds: Double) {
    self.points = points
    self.voiced = voiced
    self.hopSeconds = hopSeconds
  }

  /// Returns log2 of hertz at frame `i` with its standard deviation.
  func value(at i: Int) -> (octaves: Double, deviation: Double)? {
    guard let own = points[i] else { return nil }
    let reach = max(1, Int((Self.reachSeconds / hopSeconds).rounded()))
    var (first, last) = (i, i)
    while first > 0, i - first < reach, follows(first - 1, first) { first -= 1 }
    while last + 1 < points.count, last - i < reach, follows(last, last + 1) { last += 1 }
    for unknowns in [4, 3, 2] where last - first + 1 > unknowns {
      if let fit = fit(i, first...last, unknowns),
        fit.misses < max(Self.maxOctaves, 3 * own.variance.squareRoot())
      {
        let (noise, motion) = (Self.deviationScale * fit.deviation, Self.motionScale * fit.motion)
        return (fit.value, (noise * noise + motion * motion).squareRoot())
      }
      (first, last) = (max(first, i - reach / 2), min(last, i + reach / 2))
    }
    // At a step only the slope on the flatter side is reliable.
    return (own.octaves - slope(i) * own.offsetSeconds, (own.variance + 1e-6).squareRoot())
  }

  private func slope(_ i: Int) -> Double {
    let slopes = [(i - 1, i), (i, i + 1)].compactMap { a, b -> Double? in
      guard a >= 0, b < points.count, let x = points[a], let y = points[b], follows(a, b) else {
        return nil
      }
      return (y.octaves - x.octaves)
        / max(hopSeconds + y.offsetSeconds - x.offsetSeconds, hopSeconds / 2)
    }
    return slopes.min { abs($0) < abs($1) } ?? 0
  }

  private func follows(_ a: Int, _ b: Int) -> Bool {
    guard voiced[a] == voiced[b], let x = points[a], let y = points[b] else { return false }
    return abs(x.octaves - y.octaves) < 0.06 * max(1, hopSeconds / 0.010)
  }

  private func fit(_ i: Int, _ range: ClosedRange<Int>, _ unknowns: Int) -> (
    value: Double, deviation: Double, misses: Double, motion: Double
  )? {
    var matrix = SIMD16<Double>.zero  // row by row, 4 wide
    var right = SIMD4<Double>.zero
    let scale = 1 / Self.reachSeconds
    func row(_ j: Int, _ point: PeriodRefiner.Measurement) -> SIMD4<Double> {
      let m = (Double(j - i) * hopSeconds + point.offsetSeconds) * scale
      let v = point.spreadSquared * scale * scale
      return SIMD4(1, m, m * m + v, m * m * m + 3 * m * v)
    }
    for j in range {
      guard let point = points[j] else { return nil }
      let row = row(j, point)
      let weight = 1 / (point.variance + 1e-9)
      for a in 0..<unknowns {
        right[a] += weight * row[a] * point.octaves
        for b in 0...a { matrix[4 * a + b] += weight * row[a] * row[b] }
      }
    }
    // Cholesky factorization.
    for a in 0..<unknowns {
      for b in 0...a {
        var sum = matrix[4 * a + b]
        for k in 0..<b { sum -= matrix[4 * a + k] * matrix[4 * b + k] }
        if a == b {
          guard sum > 1e-9 * matrix[4 * a + a] else { return nil }
          matrix[4 * a + a] = sum.squareRoot()
        } else {
          matrix[4 * a + b] = sum / matrix[4 * b + b]
        }
      }
    }
    func solve(_ b: SIMD4<Double>) -> SIMD4<Double> {
      var y = b
      for a in 0..<unknowns {
        for k in 0..<a { y[a] -= matrix[4 * a + k] * y[k] }
        y[a] /= matrix[4 * a + a]
      }
      for a in (0..<unknowns).reversed() {
        for k in a + 1..<max(unknowns, a + 1) { y[a] -= matrix[4 * k + a] * y[k] }
        y[a] /= matrix[4 * a + a]
      }
      return y
    }
    let solution = solve(right)
    let variance = solve(SIMD4(1, 0, 0, 0))[0]
    var (misses, noise, count) = (0.0, 0.0, 0.0)
    for j in range {
      let row = row(j, points[j]!)
      var predicted = 0.0
      for a in 0..<unknowns { predicted += solution[a] * row[a] }
      misses += (points[j]!.octaves - predicted) * (points[j]!.octaves - predicted)
      noise += points[j]!.variance
      count += 1
    }
    misses /= max(count - Double(unknowns), 1)
    let motion = max(misses - noise / count, 0).squareRoot()
    return (solution[0], variance.squareRoot(), misses.squareRoot(), motion)
  }
}
