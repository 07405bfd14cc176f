import DSP
import Foundation

/// The envelope of one band of a sound: the magnitude of its analytic signal, sampled at a few tens
/// of hertz.
struct BandEnvelope: Sendable {
  private let sampleRateHz: Double
  /// Samples of the sound per sample of the envelope.
  private let step: Int
  /// A sinc of ten lobes to either side under a Kaiser window, as in MATLAB's `resample`, by the
  /// stride of the samples that it reads.
  private let lowPasses: [Int: [Double]]

  private static let strides = [4, 2, 1]
  /// Least distance of the frequency where a strided sound folds from the middle of its band, in
  /// widths of the band. What folds there is 72 dB down.
  private static let minDistance = 4.0

  private init(sampleRateHz: Double, step: Int) {
    self.sampleRateHz = sampleRateHz
    self.step = step
    let shape = Window.kaiser(beta: 5)
    let taps = (-10 * step...10 * step).map { offset in
      let x = Double(offset) / Double(step)
      return (offset == 0 ? 1 : sin(.pi * x) / (.pi * x)) * shape.value(at: x / 10)
    }
    var lowPasses: [Int: [Double]] = [:]
    for every in Self.strides where step % every == 0 {
      let read = stride(from: 0, to: taps.count, by: every).map { taps[$0] }
      let sum = read.reduce(0, +)
      lowPasses[every] = read.map { $0 / sum }
    }
    self.lowPasses = lowPasses
  }

  private static let known = TableCache<[Double], BandEnvelope>()

  /// Returns the analysis of a sound at 8 or 16 kHz; its filters are made the first time.
  static func shared(sampleRateHz: Double, step: Int) -> BandEnvelope {
    known([sampleRateHz, Double(step)]) { BandEnvelope(sampleRateHz: sampleRateHz, step: step) }
  }

  /// Returns the envelopes of two sounds in one band, as they come in `EnvelopePair.pairs`.
  ///
  /// - Parameters:
  ///   - pairs: samples of both sounds.
  ///   - lowHz, highHz: edges of the band, 3 dB down at both.
  func values(_ pairs: [SIMD2<Double>], _ lowHz: Double, _ highHz: Double) -> ([Double], [Double]) {
    // A narrow band needs only some of its samples.
    let (middle, width) = ((lowHz + highHz) / 2, highHz - lowHz)
    let every = Self.strides.first { every in
      let foldHz = sampleRateHz / Double(2 * every)
      return lowPasses[every] != nil && foldHz - middle >= Self.minDistance * width
    }
    let band = ButterworthBand(lowHz, highHz, sampleRateHz: sampleRateHz)
    let narrow = band.apply(pairs, every: every ?? 1)
    return (
      decimated(magnitude(narrow.map { $0[0] }), every ?? 1),
      decimated(magnitude(narrow.map { $0[1] }), every ?? 1)
    )
  }

  /// The magnitude of the analytic signal, computed from the spectrum of the whole sound.
  private func magnitude(_ samples: [Double]) -> [Double] {
    let count = samples.count
    // Zero padding affects the ends only, and lengths without large factors are fast.
    let power = max(1024, powerOfTwo(above: count) / 2)
    let length = [4, 5, 6, 7, 8].map { power / 4 * $0 }.first { $0 >= count }!
    var transform = FourierTransform(count: length)
    let single = samples.map { Float($0) }
    transform.forward(single.span)
    do {
      var spectrum = transform.spectrum
      let last = spectrum.count - 1
      for i in 1..<last { spectrum[i] = ComplexFloat(spectrum[i].im, -spectrum[i].re) }
      (spectrum[0], spectrum[last]) = (ComplexFloat(0, 0), ComplexFloat(0, 0))
    }
    transform.inverse()
    let turned = transform.samples
    let scale = 1 / Double(transform.count)
    return (0..<count).map {
      let other = Double(turned[$0]) * scale
      return (samples[$0] * samples[$0] + other * other).squareRoot()
    }
  }

  private func decimated(_ values: [Double], _ every: Int) -> [Double] {
    let lowPass = lowPasses[every]!
    let ends = [Double](repeating: 0, count: lowPass.count / 2)
    let padded = ends + values + ends
    return stride(from: 0, to: values.count, by: step / every).map {
      dot(lowPass, from: 0, padded, from: $0, count: lowPass.count)
    }
  }
}

/// Two sounds of equal length at 8 or 16 kHz, to be split into bands.
struct EnvelopePair {
  let sampleRateHz: Double
  /// Samples of the reference and of the output.
  let pairs: [SIMD2<Double>]

  init(_ output: Signal, _ reference: Signal) throws(Unmeasurable) {
    let rateHz = try Intelligibility.wholeRate(of: output, reference, in: 8000...768_000)
    guard output.durationSeconds >= 0.5 else {
      throw .tooShort(seconds: output.durationSeconds, neededSeconds: 0.5)
    }
    let target = rateHz >= 16_000 ? 16_000.0 : 8000.0
    sampleRateHz = target
    pairs = zip(reference.resampled(to: target).samples, output.resampled(to: target).samples)
      .map { SIMD2(Double($0), Double($1)) }
  }
}
