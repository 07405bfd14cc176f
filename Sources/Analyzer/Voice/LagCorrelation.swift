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
  private let settings: Harmonicity.Settings
  /// Number of lags beyond the longest period, for interpolating a peak near it.
  private static let margin = 32
  /// Length of the longest period in samples.
  private let period: Int
  /// Length of a frame in samples: the tapered one, or one side of the comparison.
  private let width: Int
  private let taper: [Double]
  private let taperCorrelation: [Double]
  private let transformCount: Int

  init(_ signal: Signal, _ settings: Harmonicity.Settings) {
    samples = signal.withoutInfrasound().samples.map { Double($0) }
    peak = samples.reduce(0) { max($0, abs($1)) }
    var sums = [0.0]
    sums.reserveCapacity(samples.count + 1)
    for sample in samples { sums.append(sums[sums.count - 1] + sample) }
    self.sums = sums
    rateHz = signal.sampleRateHz
    self.settings = settings
    let periodSeconds = 1 / settings.floorHz
    period = Int(rateHz * periodSeconds)
    switch settings.method {
    case .crosscorrelation:
      spanSeconds = 2 * periodSeconds
      width = period
      (taper, taperCorrelation) = ([], [])
      transformCount = Self.fastCount(atLeast: 2 * period + Self.margin)
    case .autocorrelation:
      // Twice the periods, since a Gaussian is nearly 0 in its outer half.
      spanSeconds = 2 * settings.periodsPerWindow * periodSeconds
      width = 2 * (Int(spanSeconds * rateHz) / 2 - 1)
      taper = Self.gaussian(width)
      transformCount = Self.fastCount(atLeast: width + width / 4 + 2)
      taperCorrelation = Self.autocorrelation(taper, transformCount, lags: period + Self.margin)
    }
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
    switch settings.method {
    case .crosscorrelation:
      let start = Int(((time - spanSeconds / 2) * rateHz).rounded())
      return (crossCorrelation(from: start, mean), loudness)
    case .autocorrelation:
      let frame = (0..<width).map { place in
        let index = centre - width / 2 + 1 + place
        return samples.indices.contains(index) ? (samples[index] - mean) * taper[place] : 0
      }
      let sound = Self.autocorrelation(frame, transformCount, lags: period + Self.margin)
      return (zip(sound, taperCorrelation).map { $0 / $1 }, loudness)
    }
  }

  /// The correlation of `width` samples with those a lag later, normalized by both levels.
  private func crossCorrelation(from start: Int, _ mean: Double) -> [Double] {
    let lagCount = period + Self.margin
    var frame = [Double](repeating: 0, count: width + lagCount)
    for index in (start..<start + frame.count).clamped(to: samples.indices) {
      frame[index - start] = samples[index] - mean
    }
    let first = product(frame, 0, width)
    let products = Self.products(of: frame, width, transformCount, lags: lagCount)
    var second = first
    return (0..<lagCount).map { lag in
      if lag > 0 {
        let (left, joined) = (frame[lag - 1], frame[lag - 1 + width])
        second += joined * joined - left * left
      }
      let level = max((first * second).squareRoot(), 1e-30)
      // The transform's products are within some 10⁻⁷ of the levels. Near peaks, where as little
      // tells a voice from noise, each is summed exactly.
      let isNearPeak = products[lag] > 0.9 * level
      return (isNearPeak ? product(frame, lag, width) : products[lag]) / level
    }
  }

  /// The products of a frame's first `width` samples with the whole frame, at each lag, by way of
  /// their spectra.
  private static func products(
    of frame: [Double], _ width: Int, _ transformCount: Int, lags: Int
  ) -> [Double] {
    var transform = FourierTransform(count: transformCount)
    let whole = frame.map { Float($0) }
    let stretch = Array(whole.prefix(width))
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

  private static func autocorrelation(
    _ samples: [Double], _ transformCount: Int, lags: Int
  ) -> [Double] {
    var transform = FourierTransform(count: transformCount)
    let narrow = samples.map { Float($0) }
    transform.forward(narrow.span)
    var spectrum = transform.spectrum
    for k in 0..<spectrum.count { spectrum[k] = ComplexFloat(spectrum[k].power, 0) }
    transform.inverse()
    let result = transform.samples
    return (0..<lags).map { Double(result[$0] / result[0]) }
  }

  /// A Gaussian taper that falls to 0 at its ends.
  static func gaussian(_ count: Int) -> [Double] {
    (0..<count).map { index in
      let phase = (Double(index) + 0.5 - Double(count) / 2) / Double(count)
      return (exp(-48 * phase * phase) - exp(-12)) / (1 - exp(-12))
    }
  }
}

/// The dot product of `count` values of `x` from 0 and from `lag`.
private func product(_ x: [Double], _ lag: Int, _ count: Int) -> Double {
  precondition(lag >= 0 && lag + count <= x.count)
  return x.withUnsafeBufferPointer { x in
    unsafe sumOfProducts(x.baseAddress!, x.baseAddress! + lag, count)
  }
}
