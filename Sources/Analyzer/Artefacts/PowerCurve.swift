import DSP
import Foundation

/// The power of a sound over time, every `stepSeconds`, under a Hann window.
struct PowerCurve {
  let stepSeconds: Double
  /// Powers; value `i` is centred at `i * stepSeconds`.
  let powers: [Double]

  /// - Parameter windowMs: length of the window; four steps unless given.
  init(of signal: Signal, stepMs: Double, windowMs: Double? = nil) {
    let step = stepMs / 1000 * signal.sampleRateHz
    stepSeconds = stepMs / 1000
    let length = max(3, Int((windowMs ?? 4 * stepMs) / 1000 * signal.sampleRateHz) | 1)
    let shape = Window.hann.samples(length + 2).dropFirst().dropLast()
    let sum = shape.reduce(0, +)
    let window = shape.map { $0 / sum }
    let ends = [Double](repeating: 0, count: length)
    let padded = ends + signal.samples.map { Double($0) * Double($0) } + ends
    powers = (0..<max(1, Int((Double(signal.count) / step).rounded(.up)))).map { index in
      let start = min(Int((Double(index) * step).rounded()), signal.count - 1)
      let from = start + length - length / 2
      return max(0, dot(window, from: 0, padded, from: from, count: length))
    }
  }
}
