import DSP
import Foundation

/// The correlation of a frame of sound with itself, lag by lag.
struct LagCorrelation {
  /// Length of the sound that one frame spans.
  let spanSeconds: Double
  /// Maximum magnitude of the samples, without infrasound.
  let peak: Double

  private let samples: [Double]
  /// Sums of the samples up to each.
  private let sums: [Double]
  private let rateHz: Double
  /// Number of lags beyond the longest period, for interpolating a peak near it.
  private static let margin = 32
  /// Length of the longest period in samples: of one side of the comparison.
  private let period: Int

  init(_ signal: Signal) {
    samples = signal.withoutInfrasound().samples.map { Double($0) }
    peak = samples.reduce(0) { max($0, abs($1)) }
    sums = samples.runningSums
    rateHz = signal.sampleRateHz
    spanSeconds = 2 / Harmonicity.floorHz
    period = Int(rateHz * (1 / Harmonicity.floorHz))
  }

  /// The correlation from lag 0, where it is 1, and the maximum magnitude near the frame's centre.
  ///
  /// - Parameter least: magnitude below which the correlation is not computed; the values are then
  ///   that of lag 0 alone.
  func correlation(
    atSeconds time: Double, louderThan least: Double
  ) -> (values: [Double], loudness: Double) {
    let centre = Int((time * rateHz).rounded(.down))
    let near = max(0, centre - period)..<min(samples.count, centre + period)
    let mean =
      near.isEmpty ? 0 : (sums[near.upperBound] - sums[near.lowerBound]) / Double(near.count)
    let inner = max(0, centre - period / 2)..<min(samples.count, centre + period / 2 + 1)
    let loudness = inner.reduce(0.0) { max($0, abs(samples[$1] - mean)) }
    guard loudness > 1e-7 else { return ([1], 0) }
    guard loudness > least else { return ([1], loudness) }
    let start = Int(((time - spanSeconds / 2) * rateHz).rounded())
    return (crossCorrelation(from: start, mean), loudness)
  }

  /// The correlation of a period's samples with those a lag later, normalized by both levels.
  private func crossCorrelation(from start: Int, _ mean: Double) -> [Double] {
    let lagCount = period + Self.margin
    var frame = [Double](repeating: 0, count: period + lagCount)
    for index in (start..<start + frame.count).clamped(to: samples.indices) {
      frame[index - start] = samples[index] - mean
    }
    func product(_ lag: Int) -> Double { dot(frame, from: 0, frame, from: lag, count: period) }
    let first = product(0)
    let products = products(of: frame, lags: lagCount)
    var second = first
    return (0..<lagCount).map { lag in
      if lag > 0 {
        let (left, joined) = (frame[lag - 1], frame[lag - 1 + period])
        second += joined * joined - left * left
      }
      let level = max((first * second).squareRoot(), 1e-30)
      // The transform's products are within some 10⁻⁷ of the levels. Near peaks, where as little
      // tells a voice from noise, each is summed exactly.
      let isNearPeak = products[lag] > 0.9 * level
      return (isNearPeak ? product(lag) : products[lag]) / level
    }
  }

  /// The products of a frame's first period with the whole frame, at each lag, by way of their
  /// spectra.
  private func products(of frame: [Double], lags: Int) -> [Double] {
    let transformCount = Self.fastCount(atLeast: 2 * period + Self.margin)
    var transform = FourierTransform(count: transformCount)
    let whole = frame.map { Float($0) }
    let stretch = Array(whole.prefix(period))
    transform.forward(stretch.span)
    var crossed: [ComplexFloat] = []
    crossed.reserveCapacity(transform.binCount)
    for bin in 0..<transform.binCount { crossed.append(transform[bin]) }
    transform.forward(whole.span)
    for bin in crossed.indices {
      let (a, b) = (crossed[bin], transform[bin])
      crossed[bin] = ComplexFloat(a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re)
    }
    transform.inverse(of: crossed.span)
    let scale = 1 / Double(transformCount)
    let result = transform.samples
    return (0..<lags).map { Double(result[$0]) * scale }
  }

  /// Returns the next length whose transform is fast: a power of two, or three quarters of one.
  private static func fastCount(atLeast count: Int) -> Int {
    let power = max(4, powerOfTwo(above: count - 1))
    return power / 4 * 3 >= count ? power / 4 * 3 : power
  }
}
