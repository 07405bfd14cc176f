import DSP
import Foundation
import Statistics

/// A sound's loudness in four bands, every half millisecond, from which slopes are taken.
struct BandLoudness: Sendable {
  private static let edgesHz = [80.0, 700, 1600, 3200, 8000]
  /// Level below the loudest band at which a band holds only the filter's leakage.
  private static let softestDb = 50.0

  /// Loudness of each band; `nil` for a band without signal.
  fileprivate let bands: [(curve: [Double], top: Double)?]
  let count: Int

  /// - Returns: `nil` for silence.
  fileprivate init?(_ signal: Signal) {
    let limit = 0.45 * signal.sampleRateHz
    let samples = signal.withoutInfrasound().samples.map { $0.isFinite ? Double($0) : 0 }
    let curves = zip(Self.edgesHz, Self.edgesHz.dropFirst()).map { low, high -> [Double] in
      guard low < 0.8 * limit else { return [] }
      let band = ButterworthBand(low, min(high, limit), sampleRateHz: signal.sampleRateHz)
      let filtered = Signal(
        band.apply(samples).map { Float($0) }, sampleRateHz: signal.sampleRateHz)
      return LoudnessCurve(ofOutline: filtered).values
    }
    count = curves[0].count
    let tops = curves.map { Statistics.quantile($0, 0.95) ?? 0 }
    guard let loudest = tops.max(), loudest > 1e-7 else { return nil }
    bands = zip(curves, tops).map { curve, top in
      top > loudest * pow(10, -Self.softestDb / 20) ? (curve, top) : nil
    }
  }
}

extension Signal {
  /// Loudness in four bands; `nil` for silence.
  var bandLoudness: BandLoudness? { derived("bandLoudness") { BandLoudness(self) } }

  /// Slopes of the loudness under the Gaussian of `LoudnessSlopes.smoothMs`; `nil` for silence.
  var loudnessSlopes: LoudnessSlopes? {
    derived("loudnessSlopes") { bandLoudness.flatMap { LoudnessSlopes(of: $0) } }
  }
}

/// The slope of a sound's loudness in each of four bands, every half millisecond.
///
/// Loudness is that of `LoudnessCurve` in decibels, limited to 30 dB below the loud parts of its
/// band. Its slope is taken under a Gaussian, which removes the ripple of periods. Decibels give
/// soft onsets the weight of loud ones.
///
/// A short Gaussian follows the edges of onsets, which a compressor, chorus or reverb leaves where
/// they are; a long one follows what these make of the sound afterwards.
struct LoudnessSlopes: Sendable {
  private static let rangeDb = 30.0
  /// Deviation of the Gaussian that removes the ripple of any voice.
  static let smoothMs = 8.0
  private static let stretchMs = 250.0
  private static let minStretches = 8

  /// Slopes in each band, scaled to unit energy; `nil` for a band without signal.
  private let bands: [[Double]?]
  let count: Int

  /// - Parameter bellMs: deviation of the Gaussian.
  init?(of loudness: BandLoudness, bellMs: Double = LoudnessSlopes.smoothMs) {
    count = loudness.count
    bands = loudness.bands.map { band in
      band.flatMap { Self.slopes(of: $0.curve, top: $0.top, bellMs: bellMs) }
    }
    guard bands.contains(where: { $0 != nil }) else { return nil }
  }

  private init(_ bands: [[Double]?], count: Int) { (self.bands, self.count) = (bands, count) }

  /// Only the rises of loudness.
  var rises: LoudnessSlopes {
    LoudnessSlopes(bands.map { $0.map { $0.map { max(0, $0) } } }, count: count)
  }

  /// Only the falls of loudness.
  var falls: LoudnessSlopes {
    LoudnessSlopes(bands.map { $0.map { $0.map { min(0, $0) } } }, count: count)
  }

  private func pairs(with later: LoudnessSlopes) -> [([Double], [Double])] {
    zip(bands, later.bands).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
  }

  /// Steps of a stretch of time.
  var stretchLength: Int {
    max(1, min(Int(Self.stretchMs / LoudnessCurve.stepMs), count / Self.minStretches))
  }

  /// The contribution of each stretch of time to the correlation, at each lag.
  func correlations(with later: LoudnessSlopes, lags: ClosedRange<Int>) -> [[Double]] {
    let pairs = pairs(with: later)
    guard !pairs.isEmpty, count > 0 else { return [[Double](repeating: 0, count: lags.count)] }
    return stride(from: 0, to: count, by: stretchLength).map { start in
      let end = min(start + stretchLength, count)
      return lags.map { lag in
        pairs.reduce(0) { $0 + Self.product($1.0, $1.1, lag, start..<end) } / Double(pairs.count)
      }
    }
  }

  /// The correlation of a stretch with the later sound at each lag, -1 to 1.
  func correlations(
    of stretch: Range<Int>, with later: LoudnessSlopes, lags: ClosedRange<Int>
  ) -> [Double] {
    let pairs = pairs(with: later)
    let range = stretch.clamped(to: 0..<count)
    let own = pairs.reduce(0) { $0 + Self.product($1.0, $1.0, 0, range) }
    let sums = pairs.map { pair in pair.1.map { $0 * $0 }.runningSums }
    return lags.map { lag in
      let product = pairs.reduce(0) { $0 + Self.product($1.0, $1.1, lag, range) }
      let other = sums.reduce(0) { sum, squares in
        let last = squares.count - 1
        let (from, to) = (
          max(0, min(last, range.lowerBound + lag)), max(0, min(last, range.upperBound + lag))
        )
        return sum + squares[to] - squares[from]
      }
      let energy = (own * other).squareRoot()
      return energy > 1e-12 ? product / energy : 0
    }
  }

  /// Returns the lag in milliseconds of the highest correlation with the later sound, and its deviation;
  /// `nil` at an end of `lags` or with one stretch only.
  func delay(
    of later: LoudnessSlopes, lags: ClosedRange<Int>
  ) -> (delayMs: Double, deviationMs: Double)? {
    SlopeCorrelation(of: later, with: self, lags: lags).delay
  }

  /// The fractional index of the highest value, by a parabola through its neighbours; `nil` at an
  /// end.
  static func peak(of values: [Double]) -> Double? {
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    guard best > 0, best < values.count - 1 else { return nil }
    return Double(best) + (peakOffset(values[best - 1], values[best], values[best + 1]) ?? 0)
  }

  /// The sum of products over a range of `a` with `b`, `lag` steps later.
  private static func product(
    _ a: [Double], _ b: [Double], _ lag: Int, _ range: Range<Int>
  ) -> Double {
    let from = max(range.lowerBound, -lag)
    let to = min(range.upperBound, b.count - lag)
    return from < to ? dot(a, from: from, b, from: from + lag, count: to - from) : 0
  }

  private static func slopes(of curve: [Double], top: Double, bellMs: Double) -> [Double]? {
    let decibels = curve.map { max(20 * log10(max($0, 1e-30) / top), -rangeDb) }
    let reach = Int(4 * bellMs / LoudnessCurve.stepMs)
    let spread = bellMs / LoudnessCurve.stepMs
    // The derivative of the Gaussian, reversed; half of it suffices since it is odd.
    let weights = (0...reach).map { Double($0) * exp(-0.5 * pow(Double($0) / spread, 2)) }
    // Beyond its ends the sound continues at a constant level.
    let padded =
      Array(repeating: decibels.first ?? 0, count: reach) + decibels
      + Array(repeating: decibels.last ?? 0, count: reach)
    var slopes = [Double](repeating: 0, count: curve.count)
    var sums = slopes.mutableSpan
    let levels = padded.span
    for k in 1...reach {
      let (weight, before, after) = (weights[k], reach - k, reach + k)
      for i in 0..<sums.count {
        sums[inBounds: i] += weight * (levels[inBounds: after + i] - levels[inBounds: before + i])
      }
    }
    let energy = slopes.reduce(0) { $0 + $1 * $1 }
    // A constant band carries no timing.
    guard energy > 1e-6 * Double(max(1, curve.count)) else { return nil }
    return slopes.map { $0 / energy.squareRoot() }
  }
}
