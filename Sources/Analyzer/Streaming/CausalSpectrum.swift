import DSP
import Foundation

/// Spectrum and autocorrelation of the newest stretch of a stream.
///
/// The window rises slowly and falls quickly, so that the newest sound counts most. The
/// autocorrelation is divided by that of the window, so that it doesn't fall with the lag.
///
/// - Cost: two transforms a call. Allocates in `init` only.
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993, for the division.
struct CausalSpectrum: ~Copyable {
  /// Share of the window that falls.
  private static let falling = 0.25

  /// Power and amplitude of each bin.
  private(set) var values: RealtimeArray<SIMD2<Float>>
  /// Sum of the powers.
  private(set) var total: Float = 0
  /// Correlation at each lag, 1 at lag 0.
  private(set) var correlation: RealtimeArray<Float>
  let hzPerBin: Float

  private let window: RealtimeArray<Float>
  private let perWindow: RealtimeArray<Float>  // 1 over the window's own correlation
  private var cut: RealtimeArray<Float>
  private var transform: FourierTransform
  private let lowestBin: Int

  /// - Parameter count: a multiple of 8.
  init(windowSamples count: Int, lagCount: Int, floorHz: Double, rateHz: Double) {
    let length = powerOfTwo(above: count + lagCount - 1)
    let rise = Double(count) * (1 - Self.falling)
    let window = (0..<count).map { n -> Float in
      let place = Double(n) + 0.5
      let share = place < rise ? place / rise : (Double(count) - place) / (Double(count) - rise)
      return Float(0.5 - 0.5 * cos(.pi * share))
    }
    perWindow = RealtimeArray(
      (0..<lagCount).map { lag in
        let own = (lag..<count).reduce(0) { $0 + window[$1] * window[$1 - lag] }
        return window.reduce(0) { $0 + $1 * $1 } / max(own, 1e-6)
      })
    self.window = RealtimeArray(window)
    cut = RealtimeArray(count: count)
    transform = FourierTransform(count: length)
    values = RealtimeArray(repeating: .zero, count: length / 2 + 1)
    correlation = RealtimeArray(count: lagCount)
    hzPerBin = Float(rateHz / Double(length))
    lowestBin = Int(0.75 * floorHz / rateHz * Double(length))
  }

  /// Analyzes the newest sound.
  @_semantics("no_performance_analysis") mutating func update(_ sound: borrowing HistoryBuffer) {
    let first = sound.count - window.count
    var n = 0
    while n < window.count {
      cut[eightAt: n] = window[eightAt: n] * sound[eightAt: first &+ n]
      n &+= 8
    }
    total = Self.analyze(cut, &transform, from: lowestBin, into: &values)
    Self.correlate(values, &transform, perWindow, into: &correlation)
  }

  /// Returns the sum of the powers.
  @_semantics("no_performance_analysis") private static func analyze(
    _ samples: borrowing RealtimeArray<Float>, _ transform: inout FourierTransform,
    from lowestBin: Int, into values: inout RealtimeArray<SIMD2<Float>>
  ) -> Float {
    transform.forward(samples.span)
    var total: Float = 0
    for bin in lowestBin..<values.count {
      let power = transform[bin].power
      values[unchecked: bin] = SIMD2(power, power.squareRoot())
      total += power
    }
    return total
  }

  @_semantics("no_performance_analysis") private static func correlate(
    _ values: borrowing RealtimeArray<SIMD2<Float>>, _ transform: inout FourierTransform,
    _ perWindow: borrowing RealtimeArray<Float>, into correlation: inout RealtimeArray<Float>
  ) {
    var spectrum = transform.spectrum
    for bin in 0..<values.count { spectrum[bin] = ComplexFloat(values[unchecked: bin].x, 0) }
    transform.inverse()
    let samples = transform.samples
    let scale = 1 / max(samples[0], 1e-20)
    for lag in 0..<correlation.count {
      correlation[unchecked: lag] = samples[lag] * scale * perWindow[unchecked: lag]
    }
  }
}
