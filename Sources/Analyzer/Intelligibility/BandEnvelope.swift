import DSP
import Foundation

/// The envelope of one band of a sound: the magnitude of its analytic signal, sampled at a few tens
/// of hertz.
struct BandEnvelope {
  private let sampleRateHz: Double
  /// Samples of the sound per sample of the envelope.
  private let step: Int
  /// A sinc of ten lobes to either side under a Kaiser window, as in MATLAB's `resample`.
  private let lowPass: [Double]

  init(sampleRateHz: Double, step: Int) {
    self.sampleRateHz = sampleRateHz
    self.step = step
    let shape = Window.kaiser(beta: 5)
    let taps = (-10 * step...10 * step).map { offset in
      let x = Double(offset) / Double(step)
      return (offset == 0 ? 1 : sin(.pi * x) / (.pi * x)) * shape.value(at: x / 10)
    }
    let sum = taps.reduce(0, +)
    lowPass = taps.map { $0 / sum }
  }

  /// - Parameters: the band's edges, 3 dB down at both.
  func values(_ samples: [Double], _ lowHz: Double, _ highHz: Double) -> [Double] {
    decimated(magnitude(ButterworthBand(lowHz, highHz, sampleRateHz: sampleRateHz).apply(samples)))
  }

  /// The magnitude of the analytic signal, computed from the spectrum of the whole sound.
  private func magnitude(_ samples: [Double]) -> [Double] {
    let count = samples.count
    // Zero padding affects the ends only, and lengths without large factors are fast.
    var power = 1024
    while power * 2 <= count { power *= 2 }
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

  private func decimated(_ values: [Double]) -> [Double] {
    let ends = [Double](repeating: 0, count: lowPass.count / 2)
    let padded = ends + values + ends
    return padded.withUnsafeBufferPointer { padded in
      stride(from: 0, to: values.count, by: step).map {
        sumOfProducts(lowPass, padded.baseAddress! + $0, lowPass.count)
      }
    }
  }
}
