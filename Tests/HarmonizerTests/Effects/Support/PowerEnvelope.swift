import DSP
import Foundation
import TestSupport

/// The level of a sound over time, to measure the rate of its modulation.
struct PowerEnvelope {
  /// The mean squares of 128 samples each, minus their mean.
  private let powers: [Double]
  private let rateHz = 48_000.0 / 128

  init(_ sound: [Float]) {
    let powers = stride(from: 0, to: sound.count - 127, by: 128).map { start in
      sound[start..<start + 128].reduce(0) { $0 + Double($1) * Double($1) } / 128
    }
    let mean = powers.reduce(0, +) / Double(powers.count)
    self.powers = powers.map { $0 - mean }
  }

  /// The modulation rate in Hz, from the phase advance at `guessHz` from the first to the second
  /// half of the sound. It is right if the guess is off by less than half a cycle in that time;
  /// each half should contain whole cycles.
  func rateHz(near guessHz: Double) -> Double {
    let half = powers.count / 2
    var turn = (phase(0..<half, guessHz) - phase(half..<2 * half, guessHz)) / (2 * .pi)
    turn -= turn.rounded()
    return guessHz - turn / (Double(half) / rateHz)
  }

  private func phase(_ range: Range<Int>, _ hz: Double) -> Double {
    var (re, im) = (0.0, 0.0)
    for i in range {
      let angle = 2 * .pi * hz * Double(i) / rateHz
      re += powers[i] * cos(angle)
      im -= powers[i] * sin(angle)
    }
    return atan2(im, re)
  }

  /// The amplitude of a tone in a stretch of whole cycles, wherever it starts.
  static func amplitude(_ stretch: some Sequence<Float>, toneHz: Double) -> Double {
    let samples = stretch.map(Double.init)
    return 2 * spectralLine(of: samples, hz: toneHz).magnitude / Double(samples.count)
  }
}
