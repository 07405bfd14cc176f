import DSP

/// The likeness of a sound to itself one period later.
enum Periodicity {
  /// Periods that are compared with those after them.
  private static let periods = 3.0
  /// Distance from the pitch asked for within which the best lag is taken: half a semitone.
  private static let nearest = 0.03

  /// Returns the largest normalized correlation at lags near a pitch's period, from -1 to 1; 0 for
  /// silence and beyond the ends of the sound.
  static func correlation(of sound: Signal, atSeconds time: Double, hz: Double) -> Double {
    let period = sound.sampleRateHz / hz
    let length = Int((periods * period).rounded())
    let start = Int((time * sound.sampleRateHz - (periods + 1) * period / 2).rounded())
    let lags =
      Int((period * (1 - nearest)).rounded(.down))...Int((period * (1 + nearest)).rounded(.up))
    guard start >= 0, start + length + lags.upperBound <= sound.count else { return 0 }
    return lags.map { correlation(sound.samples, start..<start + length, lag: $0) }.max() ?? 0
  }

  private static func correlation(_ x: [Float], _ range: Range<Int>, lag: Int) -> Double {
    var (product, own, other) = (0.0, 0.0, 0.0)
    for n in range {
      let (a, b) = (Double(x[n]), Double(x[n + lag]))
      product += a * b
      own += a * a
      other += b * b
    }
    let energy = (own * other).squareRoot()
    return energy > 0 ? product / energy : 0
  }
}
