import DSP
import Foundation

/// The correlation of a frame of sound with itself, lag by lag.
struct LagCorrelation {
  /// Length of the sound that one frame spans.
  let spanSeconds: Double
  /// Maximum magnitude of the samples, without infrasound.
  let peak: Double

  private let samples: [Double]
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
    rateHz = signal.sampleRateHz
    self.settings = settings
    let periodSeconds = 1 / settings.floorHz
    period = Int(rateHz * periodSeconds)
    switch settings.method {
    case .crosscorrelation:
      spanSeconds = 2 * periodSeconds
      width = period
      (taper, taperCorrelation) = ([], [])
      transformCount = Self.powerOfTwo(atLeast: 2 * period + Self.margin)
    case .autocorrelation:
      // Twice the periods, since a Gaussian is nearly 0 in its outer half.
      spanSeconds = 2 * settings.periodsPerWindow * periodSeconds
      width = 2 * (Int(spanSeconds * rateHz) / 2 - 1)
      taper = Self.gaussian(width)
      transformCount = Self.powerOfTwo(atLeast: width + width / 4 + 2)
      taperCorrelation = Self.autocorrelation(taper, transformCount, lags: period + Self.margin)
    }
  }

  /// The correlation from lag 0, where it is 1, and the maximum magnitude near the frame's centre.
  mutating func correlation(atSeconds time: Double) -> (values: [Double], loudness: Double) {
    let centre = Int((time * rateHz).rounded(.down))
    let near = max(0, centre - period)..<min(samples.count, centre + period)
    let mean = near.reduce(0.0) { $0 + samples[$1] } / Double(max(near.count, 1))
    let inner = max(0, centre - period / 2)..<min(samples.count, centre + period / 2 + 1)
    let loudness = inner.reduce(0.0) { max($0, abs(samples[$1] - mean)) }
    guard loudness > 1e-7 else { return ([1], 0) }
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
    let frame = (0..<width + lagCount).map { place in
      samples.indices.contains(start + place) ? samples[start + place] - mean : 0
    }
    let first = frame[..<width].reduce(0) { $0 + $1 * $1 }
    let products = Self.products(of: frame[..<width], with: frame, transformCount, lags: lagCount)
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

  /// The products of a stretch with the whole frame, at each lag, by way of their spectra.
  private static func products(
    of stretch: ArraySlice<Double>, with frame: [Double], _ transformCount: Int, lags: Int
  ) -> [Double] {
    var transform = FourierTransform(count: transformCount)
    let (narrowStretch, narrowFrame) = (stretch.map { Float($0) }, frame.map { Float($0) })
    transform.forward(narrowStretch.span)
    var crossed: [ComplexFloat] = []
    for bin in 0..<transform.binCount { crossed.append(transform[bin]) }
    transform.forward(narrowFrame.span)
    for bin in crossed.indices {
      let (a, b) = (crossed[bin], transform[bin])
      crossed[bin] = ComplexFloat(a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re)
    }
    transform.inverse(of: crossed.span)
    let scale = 1 / Double(transformCount)
    let result = transform.samples
    return (0..<lags).map { Double(result[$0]) * scale }
  }

  private static func powerOfTwo(atLeast count: Int) -> Int {
    1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
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
