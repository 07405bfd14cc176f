import DSP
import Foundation

/// The impulse response from one sound to another, estimated from averaged spectra.
struct CrossResponse {
  /// The response, circular: negative delays are at the end.
  var values: [Double]
  private let count: Int

  init(of output: Signal, from reference: Signal) {
    let longest = min(output.count, reference.count)
    let count = min(1 << Int(log2(1.4 * output.sampleRateHz)), 1 << Int(log2(Double(longest))))
    self.count = count
    let taper = Window.hann.samples(count).map { Float($0) }
    var x = FourierTransform(count: count)
    var y = FourierTransform(count: count)
    var cross = [ComplexFloat](repeating: ComplexFloat(0, 0), count: x.binCount)
    var power = [Float](repeating: 0, count: x.binCount)
    for start in stride(from: 0, through: longest - count, by: count / 4) {
      let range = start..<start + count
      let before = zip(reference.samples[range], taper).map { $0 * $1 }
      let after = zip(output.samples[range], taper).map { $0 * $1 }
      x.forward(before.span)
      y.forward(after.span)
      for i in cross.indices {
        let (a, b) = (x[i], y[i])
        cross[i].re += a.re * b.re + a.im * b.im
        cross[i].im += a.re * b.im - a.im * b.re
        power[i] += a.power
      }
    }
    // Where the reference has no power the response is unknown, so weigh it down.
    let floor = 1e-4 * (power.reduce(0, +) / Float(power.count)) + Float.leastNormalMagnitude
    do {
      var spectrum = x.spectrum
      for i in 0..<spectrum.count {
        let scale = 1 / (power[i] + floor)
        spectrum[i] = ComplexFloat(cross[i].re * scale, cross[i].im * scale)
      }
    }
    x.inverse()
    var values = [Double](repeating: 0, count: count)
    for i in 0..<count { values[i] = Double(x.samples[i]) / Double(count) }
    self.values = values
  }

  /// The share of a copy, `delay` samples later, that falls under the same taper.
  func overlap(_ delay: Int) -> Double {
    Window.hannOverlap(min(0.9, Double(abs(delay)) / Double(count)))
  }
}
