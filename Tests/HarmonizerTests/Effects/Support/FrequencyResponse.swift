import Effects
import Foundation

/// The response of a running effect, measured with an impulse.
struct FrequencyResponse {
  private let response: [Float]
  private let sampleRateHz: Double

  /// Records the impulse response for twice the tail, after which it is 120 dB down.
  init(_ settings: some EffectSettings, sampleRateHz: Double) throws {
    let run = try StereoRun(settings, sampleRateHz: sampleRateHz)
    var impulse = [Float](repeating: 0, count: 2 * run.link.tailSamples + 64)
    impulse[0] = 1
    response = run.render(impulse)
    self.sampleRateHz = sampleRateHz
  }

  /// The magnitude from the defining sum of the Fourier transform, in double precision.
  func magnitude(_ frequencyHz: Double) -> Double {
    let angle = -2 * .pi * frequencyHz / sampleRateHz
    let (turnRe, turnIm) = (cos(angle), sin(angle))
    var (re, im, sumRe, sumIm) = (1.0, 0.0, 0.0, 0.0)
    for sample in response {
      sumRe += Double(sample) * re
      sumIm += Double(sample) * im
      (re, im) = (re * turnRe - im * turnIm, re * turnIm + im * turnRe)
    }
    return hypot(sumRe, sumIm)
  }

  /// 25 frequencies, logarithmically spaced from 20 Hz to 0.45 of the sample rate.
  static func frequencies(_ sampleRateHz: Double) -> [Double] {
    (0..<25).map { 20 * pow(0.45 * sampleRateHz / 20, Double($0) / 24) }
  }

  /// The largest difference from the designed response in dB. Both are limited to -100 dB, as
  /// samples of 24 bits carry no more.
  func worstErrorDb(_ designed: (Double) -> Double) -> Double {
    Self.frequencies(sampleRateHz).map { frequency in
      abs(decibels(max(magnitude(frequency), 1e-5)) - decibels(max(designed(frequency), 1e-5)))
    }.max()!
  }
}
