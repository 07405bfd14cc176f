/// The correlation of two sounds' slopes of loudness at each lag, by stretches of time.
struct SlopeCorrelation {
  let lags: ClosedRange<Int>
  /// The contribution of each stretch of the earlier sound, at each lag.
  let stretches: [[Double]]

  init(of later: LoudnessSlopes, with earlier: LoudnessSlopes, lags: ClosedRange<Int>) {
    self.lags = lags
    stretches = earlier.correlations(with: later, lags: lags)
  }

  /// The lag in milliseconds of the highest correlation, and its deviation by the jackknife over
  /// stretches; `nil` at an end of `lags` or with one stretch only.
  var delay: (delayMs: Double, deviationMs: Double)? {
    let whole = sum(of: stretches[...])
    let others = stretches.filter { $0.contains { $0 != 0 } }.compactMap { stretch in
      LoudnessSlopes.peak(of: zip(whole, stretch).map { $0 - $1 })
    }
    guard let place = LoudnessSlopes.peak(of: whole), others.count > 1 else { return nil }
    let mean = others.reduce(0, +) / Double(others.count)
    let squares = others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let share = Double(others.count - 1) / Double(others.count)
    return (delayMs(at: place), (share * squares).squareRoot() * LoudnessCurve.stepMs)
  }

  func sum(of stretches: ArraySlice<[Double]>) -> [Double] {
    stretches.reduce([Double](repeating: 0, count: lags.count)) { sums, stretch in
      zip(sums, stretch).map { $0 + $1 }
    }
  }

  func delayMs(at place: Double) -> Double {
    (Double(lags.lowerBound) + place) * LoudnessCurve.stepMs
  }
}
