import DSP
import Foundation

/// Room-acoustic measures of impulse responses.
public enum RoomAcoustics {
  /// The reverberation time to -60 dB in an octave band, from the slope between -5 and -35 dB (T30)
  /// of the backward-integrated energy, summed over `responses`.
  ///
  /// The band filter runs backwards, so that its own decay doesn't count. Sources: Schroeder, "New
  /// method of measuring reverberation time", J. Acoust. Soc. Am. 37, 1965; ISO 3382-1:2009, 5.3.3
  /// and 6 (ensemble averages of decay curves).
  public static func decaySeconds(
    _ responses: [[Float]], octaveHz: Double, sampleRateHz: Double = 48_000
  ) -> Double {
    let filter = TestFilter.octave(octaveHz, sampleRateHz: sampleRateHz)
    var curve = [Double](repeating: 0, count: responses[0].count)
    for response in responses {
      var energy = 0.0
      // Reversed, so that the end comes first.
      for (i, value) in filter.apply(response.reversed().map(Double.init)).enumerated() {
        energy += value * value
        curve[curve.count - 1 - i] += energy
      }
    }
    let levels = curve.map { 10 * log10($0 / curve[0]) }
    let from = levels.firstIndex { $0 < -5 }!
    let to = levels.firstIndex { $0 < -35 }!
    return -60 / (slope(levels[from..<to]) * sampleRateHz)
  }

  /// The echo density from 0, single echoes, to 1, noise: the share of samples in 20 ms outside
  /// their standard deviation, relative to that of a normal distribution.
  ///
  /// Source: Abel and Huang, "A simple, robust measure of reverberation echo density", AES 121st
  /// convention, 2006.
  public static func echoDensity(_ response: [Float], at index: Int) -> Double {
    let half = 480
    var (total, squares) = (0.0, 0.0)
    let window = (-half...half).map { 0.5 + 0.5 * cos(.pi * Double($0) / Double(half)) }
    for (k, weight) in window.enumerated() {
      let value = Double(response[index - half + k])
      total += weight
      squares += weight * value * value
    }
    let deviation = (squares / total).squareRoot()
    var outside = 0.0
    for (k, weight) in window.enumerated()
    where Double(abs(response[index - half + k])) > deviation { outside += weight }
    return outside / total / erfc(0.5.squareRoot())
  }

  /// The standard deviation of spectral levels from 200 to 8000 Hz in dB: 5.57 for noise, more for
  /// separate resonances. It uses a third of a second from `index`, with the decay compensated.
  ///
  /// Source of 5.57: the level of a sum of many waves of random phase; Schroeder, "Statistical
  /// parameters of the frequency response curves of large rooms", Acustica 4, 1954.
  public static func spectralDeviationDb(_ response: [Float], from index: Int, decaySeconds: Double)
    -> Double
  {
    let count = 16_384  // 0.34 s
    let samples = (0..<count).map { i in
      let rise = pow(10, 3 * Double(i) / 48_000 / decaySeconds)
      let window = 0.5 - 0.5 * cos(2 * .pi * (Double(i) + 0.5) / Double(count))
      return Float(rise * window) * response[index + i]
    }
    var transform = FourierTransform(count: count)
    transform.forward(samples.span)
    let levels = (0..<transform.binCount).compactMap { bin -> Double? in
      let hz = Double(bin) * 48_000 / Double(count)
      return (200...8000).contains(hz) ? 10 * log10(Double(transform[bin].power)) : nil
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    let variance = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)
    return variance.squareRoot()
  }

  private static func slope(_ values: ArraySlice<Double>) -> Double {
    let n = Double(values.count)
    let meanX = (n - 1) / 2
    let meanY = values.reduce(0, +) / n
    var (xy, xx) = (0.0, 0.0)
    for (i, value) in values.enumerated() {
      let x = Double(i) - meanX
      xy += x * (value - meanY)
      xx += x * x
    }
    return xy / xx
  }
}
