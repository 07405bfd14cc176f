import Statistics

/// The delays of consecutive parts of a sound, which show whether the delay drifts or jumps.
///
/// A part counts where its slopes of loudness correlate at one lag only. Delays that scatter, as those
/// of onsets through a delay line that sweeps, are no change: a change is a step or a straight line that
/// explains the delays of most parts.
struct PartDelays {
  /// Delays of the parts that tell one, by the middle of the part.
  private let delays: [(seconds: Double, ms: Double)]

  /// Number of parts of a long sound.
  private static let maxParts = 8
  /// Distance from a maximum, in milliseconds, within which the correlation belongs to it: the slopes
  /// are taken under a Gaussian of 8 ms.
  private static let ownMs = 30.0
  /// Highest other correlation of a part that tells its delay, over that at the delay.
  private static let maxAmbiguity = 0.7
  /// Lowest correlation of a part that tells its delay, over the median part's.
  private static let minCorrelation = 0.25
  /// Change of the delay that counts; loudness errs by up to 8 ms behind compressors and reverbs.
  private static let minChangeMs = 10.0
  /// Largest distance of most parts from a step or a line, as a share of the change.
  private static let maxRest = 0.25
  /// Share of the parts that counts as most.
  private static let maxShare = 0.8

  init(_ correlation: SlopeCorrelation) {
    let stretches = correlation.stretches
    let length = max(2, (stretches.count + Self.maxParts - 1) / Self.maxParts)
    let own = Int(Self.ownMs / LoudnessCurve.stepMs)
    let peaks = stride(from: 0, to: stretches.count, by: length).compactMap {
      start -> (seconds: Double, ms: Double, height: Double)? in
      let values = correlation.sum(of: stretches[start..<min(start + length, stretches.count)])
      guard let peak = LoudnessSlopes.peak(of: values) else { return nil }
      let best = Int(peak.rounded())
      let others = values.indices.filter { abs($0 - best) > own }.map { values[$0] }
      guard values[best] > 0, (others.max() ?? 0) <= Self.maxAmbiguity * values[best] else {
        return nil
      }
      let middle = (Double(start) + Double(length) / 2) * correlation.stretchSeconds
      return (middle, correlation.delayMs(at: peak), values[best])
    }
    let least = Self.minCorrelation * (Statistics.median(peaks.map(\.height)) ?? 0)
    delays = peaks.filter { $0.height >= least }.map { ($0.seconds, $0.ms) }
  }

  /// A step or a drift of the delay; `nil` without one.
  var change: DelayTrajectory? {
    guard delays.count >= 4 else { return nil }
    let steps = (2...delays.count - 2).map { split in
      DelayTrajectory(
        fromMs: median(delays[..<split]), toMs: median(delays[split...]),
        atSeconds: (delays[split - 1].seconds + delays[split].seconds) / 2)
    }
    let found = (steps + [line]).min { rest($0) < rest($1) }!
    let change = abs(found.knots.last!.ms - found.knots[0].ms)
    guard change >= Self.minChangeMs, rest(found) <= Self.maxRest * change else { return nil }
    return found
  }

  /// A straight line through the delays.
  ///
  /// - Source: Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of the
  ///   American Statistical Association 63, 1968.
  private var line: DelayTrajectory {
    let slopes = delays.indices.flatMap { a in
      delays.indices.dropFirst(a + 1).map { b in
        (delays[b].ms - delays[a].ms) / (delays[b].seconds - delays[a].seconds)
      }
    }
    let slope = Statistics.median(slopes)!
    let offset = Statistics.median(delays.map { $0.ms - slope * $0.seconds })!
    return DelayTrajectory(
      knots: [delays[0], delays.last!].map {
        .init(seconds: $0.seconds, ms: offset + slope * $0.seconds)
      })
  }

  /// The distance from a trajectory of delays within which most of them lie.
  private func rest(_ trajectory: DelayTrajectory) -> Double {
    Statistics.quantile(
      delays.map { abs($0.ms - trajectory.ms(atSeconds: $0.seconds)) }, Self.maxShare)!
  }

  private func median(_ delays: ArraySlice<(seconds: Double, ms: Double)>) -> Double {
    Statistics.median(delays.map(\.ms))!
  }
}

/// The correlation of two sounds' slopes of loudness at each lag, by stretches of time.
struct SlopeCorrelation {
  let lags: ClosedRange<Int>
  /// The contribution of each stretch of the earlier sound, at each lag.
  let stretches: [[Double]]
  let stretchSeconds: Double

  init(of later: LoudnessSlopes, with earlier: LoudnessSlopes, lags: ClosedRange<Int>) {
    self.lags = lags
    stretches = earlier.correlations(with: later, lags: lags)
    stretchSeconds = Double(earlier.stretchLength) * LoudnessCurve.stepMs / 1000
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
