import DSP
import Foundation

/// A low-pass filter without delay: a Kaiser-windowed sinc, centred on its sample.
///
/// It is 6 dB down at the cutoff, flat within 0.01 dB below 0.9 of the cutoff and 80 dB down above
/// 1.1 of it. Consonants gain a pre-echo shorter than `10 / cutoff`.
///
/// - Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", 7.5.3.
struct LowPass {
  private let taps: [Float]

  init(cutoffHz: Double, sampleRateHz: Double) {
    guard cutoffHz < sampleRateHz / 2 else {
      taps = [1]
      return
    }
    let attenuationDb = 80.0
    let beta = 0.1102 * (attenuationDb - 8.7)
    let transition = 2 * Double.pi * 0.2 * cutoffHz / sampleRateHz
    let half = Int(((attenuationDb - 7.95) / (2.285 * transition) / 2).rounded(.up))
    let cutoff = 2 * cutoffHz / sampleRateHz
    let raw = (-half...half).map { n in
      let x = Double(n)
      let sinc = n == 0 ? cutoff : sin(.pi * cutoff * x) / (.pi * x)
      return sinc * Window.kaiser(beta: beta).value(at: x / Double(half + 1))
    }
    let sum = raw.reduce(0, +)
    taps = raw.map { Float($0 / sum) }
  }

  func applied(to signal: Signal) -> Signal {
    guard signal.count > 0 else { return signal }
    let full = Convolution.full(signal.samples, taps)
    let start = taps.count / 2
    return Signal(Array(full[start..<(start + signal.count)]), sampleRateHz: signal.sampleRateHz)
  }
}

/// Convolution by Fourier transforms of blocks (overlap-add).
///
/// - Cost: for each sample of the signal, proportional to the logarithm of the response's length.
/// - Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", overlap-add.
enum Convolution {
  /// Returns all `signal.count + response.count - 1` samples.
  static func full(_ signal: [Float], _ response: [Float]) -> [Float] {
    guard !signal.isEmpty, !response.isEmpty else { return [] }
    let count = roundedUp(max(4 * response.count, 4096))
    let blockCount = count - response.count + 1
    var filter = FourierTransform(count: count)
    var block = FourierTransform(count: count)
    filter.forward(response.span)
    let scale = 1 / Float(count)
    var output = [Float](repeating: 0, count: signal.count + response.count - 1)
    for start in stride(from: 0, to: signal.count, by: blockCount) {
      block.forward(signal.span.extracting(start..<min(start + blockCount, signal.count)))
      var spectrum = block.spectrum
      for bin in 0..<spectrum.count {
        let (a, b) = (spectrum[bin], filter[bin])
        spectrum[bin] = ComplexFloat(
          (a.re * b.re - a.im * b.im) * scale, (a.re * b.im + a.im * b.re) * scale)
      }
      block.inverse()
      let result = block.samples
      for i in 0..<min(count, output.count - start) { output[start + i] += result[i] }
    }
    return output
  }

  /// Returns the smallest power of two that is not below `count`.
  static func roundedUp(_ count: Int) -> Int {
    count <= 1 ? 1 : powerOfTwo(above: count - 1)
  }
}
