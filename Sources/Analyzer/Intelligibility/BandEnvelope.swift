import DSP
import Foundation

/// The loudness of one band of a sound over time: the magnitude of its analytic signal, at a rate of
/// a few ten hertz.
struct BandEnvelope {
  private let sampleRateHz: Double
  /// Samples of the sound for one of the envelope.
  private let step: Int
  /// A sinc of ten lobes to either side under a Kaiser window, as MATLAB's `resample` has it.
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

  /// - Parameters: the edges of the band, 3 dB down at both.
  func values(_ samples: [Double], _ lowHz: Double, _ highHz: Double) -> [Double] {
    decimated(magnitude(ButterworthBand(lowHz, highHz, sampleRateHz: sampleRateHz).apply(samples)))
  }

  /// Of the analytic signal, by turning the spectrum of the whole sound.
  private func magnitude(_ samples: [Double]) -> [Double] {
    let count = samples.count
    // Zeros change the ends only, and lengths without large factors are quick.
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
