import DSP
import Foundation

/// The autocorrelation of windowed frames, after noise reduction, divided by that of the window so
/// that it doesn't fall with the lag.
///
/// - Source: Boersma, "Accurate short-term analysis of the fundamental frequency and the
///   harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17, 1993.
/// - Allocates: in `init` only.
struct FrameCorrelation: ~Copyable {
  /// Number of lags per sample.
  static let oversampling = 4

  /// The correlation at each lag, from lag 0, where it is 1, to beyond the longest.
  private(set) var values: [Float]
  /// Mean power of the last frame's samples, corrected for the window, noise included.
  private(set) var power: Float = 0
  /// Share of the last frame's power that exceeds the noise, 0 to 1.
  private(set) var shareAboveNoise: Float = 0
  /// Powers of the last frame by bands, noise included; 0 without a noise floor.
  private(set) var bands = RoomDecay.Bands.zero

  private let window: [Float]
  private let perWindow: [Float]  // 1 over the window's own correlation
  private let perPower: Float
  private let lowestBin: Int
  private let bandEdges: [Int]  // the first bin of each band, and the end of the last
  private let noise: NoiseFloor?
  private var cut: [Float]
  /// Powers of the last frame's spectrum, less the noise after `correlate`.
  private(set) var powers: [Float]
  let hzPerBin: Double
  private var short: FourierTransform
  private var long: FourierTransform

  /// - Parameter floorHz: the lags span a period of this frequency.
  init(floorHz: Double, windowSeconds: Double, sampleRateHz: Double, noise: NoiseFloor? = nil) {
    let count = Int(windowSeconds * sampleRateHz)
    let lags = (Int(sampleRateHz / floorHz) + 3) * Self.oversampling
    let length = powerOfTwo(above: count + lags / Self.oversampling - 1)
    let window = Window.hann.samples(count).map { Float($0) }
    var short = FourierTransform(count: length)
    var long = FourierTransform(count: length * Self.oversampling)
    short.forward(window.span)
    let ofWindow = (0..<short.binCount).map { short[$0].power }
    let level = Self.correlate(ofWindow, &long)
    var inverse = [Float](repeating: 0, count: lags)
    for lag in 0..<lags { inverse[lag] = level / max(long.samples[lag], 1e-6 * level) }
    perWindow = inverse
    perPower = 1 / window.reduce(0) { $0 + $1 * $1 }
    hzPerBin = sampleRateHz / Double(length)
    lowestBin = Int(0.75 * floorHz / sampleRateHz * Double(length))
    let (binHz, binCount) = (hzPerBin, ofWindow.count)
    bandEdges = RoomDecay.edgesHz.map { min(Int(($0 / binHz).rounded()), binCount) }
    self.noise = noise
    self.window = window
    cut = window
    powers = ofWindow
    values = inverse
    self.short = short
    self.long = long
  }

  var windowCount: Int { window.count }
  /// Sum of the squares of the window.
  var windowPower: Float { 1 / perPower }
  var binCount: Int { powers.count }

  /// Returns the power spectrum of the frame around a sample, noise included.
  mutating func spectrum(of padded: borrowing PaddedSamples, around centre: Int) -> [Float] {
    transform(padded, centre)
    return powers
  }

  /// Correlates the frame around a sample; returns `false` if it is silent.
  mutating func correlate(_ padded: borrowing PaddedSamples, around centre: Int) -> Bool {
    transform(padded, centre)
    if noise != nil {
      for band in 0..<bands.scalarCount {
        var sum: Float = 0
        for bin in bandEdges[band]..<bandEdges[band + 1] { sum += powers[bin] }
        bands[band] = sum
      }
    }
    var total: Float = 0
    for bin in lowestBin..<powers.count { total += powers[bin] }
    power = total * perPower * 2 / Float(2 * (powers.count - 1))
    shareAboveNoise = 0
    guard total > noise?.silence ?? 0 else { return false }
    for bin in 0..<lowestBin { powers[bin] = 0 }
    if let noise { noise.leaveWhatStandsOut(in: &powers, from: lowestBin) }
    let level = Self.correlate(powers, &long)
    guard level > 0 else { return false }
    shareAboveNoise = level / (2 * total)
    Self.read(long, scale: 1 / level, perWindow, into: &values)
    return true
  }

  private mutating func transform(_ padded: borrowing PaddedSamples, _ centre: Int) {
    let start = centre - window.count / 2
    padded.copy(from: start, into: &cut)
    let mean = cut.reduce(0, +) / Float(cut.count)
    for i in cut.indices { cut[i] = (cut[i] - mean) * window[i] }
    Self.power(of: cut, &short, into: &powers)
  }

  private static func power(
    of samples: [Float], _ transform: inout FourierTransform, into powers: inout [Float]
  ) {
    transform.forward(samples.span)
    for bin in powers.indices { powers[bin] = transform[bin].power }
  }

  private static func read(
    _ transform: borrowing FourierTransform, scale: Float, _ perWindow: [Float],
    into values: inout [Float]
  ) {
    let samples = transform.samples
    for lag in values.indices { values[lag] = samples[lag] * scale * perWindow[lag] }
  }

  /// Writes the correlation of a power spectrum to `transform.samples`; returns its value at lag 0.
  private static func correlate(_ powers: [Float], _ transform: inout FourierTransform) -> Float {
    var spectrum = transform.spectrum
    for bin in powers.indices { spectrum[bin] = ComplexFloat(powers[bin], 0) }
    for bin in powers.count..<spectrum.count { spectrum[bin] = ComplexFloat(0, 0) }
    transform.inverse()
    return transform.samples[0]
  }
}

/// Samples of a stretch of sound, indexed by position in the whole; 0 outside the stretch.
struct PaddedSamples: ~Copyable {
  private let samples: [Float]
  private let start: Int

  /// - Parameter start: position of the first sample.
  init(_ samples: [Float], from start: Int = 0) {
    self.samples = samples
    self.start = start
  }

  func copy(from first: Int, into target: inout [Float]) {
    for i in target.indices {
      let at = first - start + i
      target[i] = samples.indices.contains(at) ? samples[at] : 0
    }
  }
}
