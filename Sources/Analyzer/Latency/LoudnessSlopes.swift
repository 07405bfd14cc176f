import DSP
import Foundation
import Statistics

/// The slope of a sound's loudness in each of four bands, every half millisecond.
///
/// Loudness is that of `LoudnessCurve` in decibels, limited to 30 dB below the loud parts of its
/// band. Its slope is taken under a Gaussian of 8 ms, which removes the ripple of periods. Decibels
/// give soft onsets the weight of loud ones.
struct LoudnessSlopes {
  private static let edgesHz = [80.0, 700, 1600, 3200, 8000]
  private static let rangeDb = 30.0
  /// Level below the loudest band at which a band holds only the filter's leakage.
  private static let softestDb = 50.0
  private static let bellMs = 8.0
  private static let stretchMs = 250.0
  private static let leastStretches = 8

  /// Slopes in each band, scaled to unit energy; `nil` for a band without signal.
  private let bands: [[Double]?]
  private let count: Int

  /// - Returns: `nil` for silence.
  init?(of signal: Signal) {
    let heard = signal.withoutInfrasound()
    let samples = heard.samples.map { $0.isFinite ? Double($0) : 0 }
    let limit = 0.45 * signal.sampleRateHz
    let edges = zip(Self.edgesHz, Self.edgesHz.dropFirst())
    let curves = edges.map { low, high -> [Double] in
      guard low < 0.8 * limit else { return [] }
      let band = ButterworthBand(low, min(high, limit), sampleRateHz: signal.sampleRateHz)
      return LoudnessCurve(
        ofOutline: Signal(
          band.apply(samples).map { Float($0) }, sampleRateHz: signal.sampleRateHz)
      ).values
    }
    count = curves[0].count
    let tops = curves.map { Statistics.quantile($0, 0.95) ?? 0 }
    guard let loudest = tops.max(), loudest > 1e-7 else { return nil }
    bands = zip(curves, tops).map { curve, top in
      top > loudest * pow(10, -Self.softestDb / 20) ? Self.slopes(of: curve, top: top) : nil
    }
    guard bands.contains(where: { $0 != nil }) else { return nil }
  }

  /// The contribution of each stretch of time to the correlation, at each lag.
  func correlations(with later: LoudnessSlopes, lags: ClosedRange<Int>) -> [[Double]] {
    let pairs = zip(bands, later.bands).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
    guard !pairs.isEmpty, count > 0 else { return [[Double](repeating: 0, count: lags.count)] }
    let length = max(
      1, min(Int(Self.stretchMs / LoudnessCurve.stepMs), count / Self.leastStretches))
    return stride(from: 0, to: count, by: length).map { start in
      let end = min(start + length, count)
      return lags.map { lag in
        let from = max(start, -lag)
        let to = min(end, later.count - lag)
        guard from < to else { return 0 }
        return pairs.reduce(0) { sum, pair in
          sum
            + pair.0.withUnsafeBufferPointer { a in
              pair.1.withUnsafeBufferPointer { b in
                unsafe sumOfProducts(
                  a.baseAddress! + from, b.baseAddress! + (from + lag), to - from)
              }
            }
        } / Double(pairs.count)
      }
    }
  }

  private static func slopes(of curve: [Double], top: Double) -> [Double]? {
    let decibels = curve.map { max(20 * log10(max($0, 1e-30) / top), -rangeDb) }
    let reach = Int(4 * bellMs / LoudnessCurve.stepMs)
    let spread = bellMs / LoudnessCurve.stepMs
    // The derivative of the Gaussian, reversed; half of it suffices since it is odd.
    let weights = (0...reach).map { Double($0) * exp(-0.5 * pow(Double($0) / spread, 2)) }
    var slopes = [Double](repeating: 0, count: curve.count)
    for i in curve.indices {
      for k in 1...reach {
        // Beyond its ends the sound continues at a constant level.
        let after = decibels[min(i + k, curve.count - 1)]
        slopes[i] += weights[k] * (after - decibels[max(i - k, 0)])
      }
    }
    let energy = slopes.reduce(0) { $0 + $1 * $1 }
    // A constant band carries no timing.
    guard energy > 1e-6 * Double(max(1, curve.count)) else { return nil }
    return slopes.map { $0 / energy.squareRoot() }
  }
}
