import DSP
import Foundation

/// Proposes periods frame by frame: peaks of the autocorrelation of a windowed frame, divided by
/// that of the window so that it doesn't fall with the lag.
struct PeriodFinder {
  /// Enough for the harmonics that carry the pitch; quick, and deaf to hiss.
  static let sampleRateHz = 8_000.0
  private static let mostCandidates = 10
  /// Lags are read at this multiple of the rate, by padding the spectrum.
  private static let oversampling = 4

  private let settings: PitchTracker.Settings
  private let samples: [Float]
  private let peak: Float
  private let window: [Float]
  private let windowCorrelation: [Float]
  private let transformCount: Int

  init(_ settings: PitchTracker.Settings, _ signal: Signal) {
    self.settings = settings
    samples = signal.samples
    peak = Self.robustPeak(samples)
    let count = Int(3 / settings.floorHz * Self.sampleRateHz)
    window = Window.hann.samples(count).map { Float($0) }
    let longestLag = Int(Self.sampleRateHz / settings.floorHz) + 2
    transformCount = 1 << (Int.bitWidth - (count + longestLag - 1).leadingZeroBitCount)
    var short = FourierTransform(count: transformCount)
    var long = FourierTransform(count: transformCount * Self.oversampling)
    windowCorrelation = Self.autocorrelation(window, &short, &long)
  }

  func candidates(frameCount: Int) -> [PitchFrame] {
    var short = FourierTransform(count: transformCount)
    var long = FourierTransform(count: transformCount * Self.oversampling)
    let hopSamples = settings.hopMs / 1000 * Self.sampleRateHz
    return (0..<frameCount).map { index in
      let centre = Int((Double(index) * hopSamples).rounded())
      return frame(around: centre, &short, &long)
    }
  }

  private func frame(
    around centre: Int, _ short: inout FourierTransform, _ long: inout FourierTransform
  ) -> PitchFrame {
    let start = centre - window.count / 2
    var cut = (0..<window.count).map {
      samples.indices.contains(start + $0) ? samples[start + $0] : 0
    }
    let mean = cut.reduce(0, +) / Float(cut.count)
    let local = cut.reduce(Float(0)) { max($0, abs($1 - mean)) }
    guard peak > 0, local > 1e-7 else { return PitchFrame(candidates: [], relativePeak: 0) }
    for i in cut.indices { cut[i] = (cut[i] - mean) * window[i] }
    let sound = Self.autocorrelation(cut, &short, &long)
    return PitchFrame(
      candidates: peaks(of: zip(sound, windowCorrelation).map { $0 / $1 }),
      relativePeak: Double(min(local / peak, 1)))
  }

  /// The strongest maxima between the shortest and the longest period.
  private func peaks(of correlation: [Float]) -> [PitchFrame.Candidate] {
    let lagRate = Self.sampleRateHz * Double(Self.oversampling)
    let shortest = max(2, Int(lagRate / settings.ceilingHz))
    let longest = min(Int(lagRate / settings.floorHz), correlation.count - 2)
    var found: [PitchFrame.Candidate] = []
    for lag in shortest...longest {
      let (a, b, c) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
      guard b > a, b >= c, b > Float(settings.voicingThreshold) / 2 else { continue }
      let offset = (a - c) / (2 * (a - 2 * b + c))
      let height = b - (a - c) * offset / 4
      let f0 = lagRate / (Double(lag) + Double(offset))
      guard settings.floorHz...settings.ceilingHz ~= f0 else { continue }
      // A peak above 1 comes of noise in the division; its mirror image is as likely.
      found.append(.init(f0Hz: f0, correlation: Double(height > 1 ? 1 / height : height)))
    }
    func rank(_ c: PitchFrame.Candidate) -> Double {
      c.correlation + settings.octaveCost * log2(c.f0Hz)
    }
    return Array(found.sorted { rank($0) > rank($1) }.prefix(Self.mostCandidates))
  }

  /// From lag 0, where it is 1, in steps of a fraction of a sample.
  private static func autocorrelation(
    _ samples: [Float], _ short: inout FourierTransform, _ long: inout FourierTransform
  ) -> [Float] {
    short.forward(samples.span)
    var spectrum = long.spectrum
    for k in 0..<spectrum.count {
      spectrum[k] = ComplexFloat(k < short.binCount ? short[k].power : 0, 0)
    }
    long.inverse()
    let result = long.samples
    let scale = 1 / result[0]
    return (0..<result.count / 2).map { result[$0] * scale }
  }

  /// The level that all but a thousandth of the samples stay under, so that a click is no measure.
  private static func robustPeak(_ samples: [Float]) -> Float {
    let sorted = samples.map { abs($0) }.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 999 / 1000)]
  }
}
