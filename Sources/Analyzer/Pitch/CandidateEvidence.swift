import Foundation

/// Evidence of one frame about a candidate period: correlations, and powers of its harmonics and of what
/// lies between them.
///
/// - Source: Hermes, "Measurement of pitch by subharmonic summation", JASA 83(1), 1988, for the sums;
///   Sun, "Pitch determination and voice quality analysis using subharmonic-to-harmonic ratio", ICASSP
///   2002, for the comparison of harmonics with those of the octave below.
struct CandidateEvidence {
  /// Number of values that describe a candidate.
  static let count = 32

  private static let highestHz: Float = 3400
  private static let maxHarmonics = 16
  /// Lowest logarithm of a share: what lies 43 dB lower is noise of the window.
  private static let minLog: Float = -10

  /// Sums over the harmonics of a pitch and over the places between them.
  private struct Sums {
    var (first, odd, even, others) = (Float(0), Float(0), Float(0), Float(0))
    var (halves, thirds) = (Float(0), Float(0))
    /// Powers half-way before each of the first harmonics, and the first odd ones, with their neighbours.
    var between: [(own: Float, beside: Float)] = []
    var oddOnes: [(own: Float, beside: Float)] = []

    var all: Float { odd + even }
  }

  /// Powers of a frame's spectrum and their square roots.
  private let powers: [Float]
  private let amplitudes: [Float]
  private let hzPerBin: Float
  private let total: Float

  init(powers: [Float], hzPerBin: Float) {
    self.powers = powers
    self.hzPerBin = hzPerBin
    amplitudes = powers.map { $0.squareRoot() }
    total = powers.reduce(0, +)
  }

  /// Describes each candidate of a frame.
  func values(
    of candidates: [PitchFrame.Candidate], long: [Float], lagRate: Double, shareAboveNoise: Float
  ) -> [[Float]] {
    let power = candidates.map { sums(powers, Float($0.f0Hz)) }
    let amplitude = candidates.map { sums(amplitudes, Float($0.f0Hz)) }
    let salience = amplitude.map { sum in sum.all - 0.5 * (sum.halves + 0.5 * sum.thirds) }
    let best = salience.max() ?? 0
    return candidates.indices.map { i in
      let (own, p, a) = (candidates[i], power[i], amplitude[i])
      let others = candidates.indices.filter { $0 != i }
      let lag = lagRate / own.f0Hz
      func correlation(_ lag: Double) -> Float {
        let at = Int(lag.rounded())
        return at + 1 < long.count ? max(long[at - 1], long[at], long[at + 1]) : 0
      }
      return [
        Float(own.correlation), Float(own.nearCorrelation), Float(own.persistence),
        Float(log2(own.f0Hz / 200)), shareAboveNoise,
        Self.log(p.odd, p.all), Self.log(p.halves, p.all), Self.log(p.others, p.all),
        Self.log(p.thirds, p.all), Self.log(p.first, p.all), Self.log(p.all, total),
        Self.log(a.odd, a.all), Self.log(a.halves, a.all), Self.log(a.others, a.all),
        Self.log(a.thirds, a.all), Self.log(a.first, a.all),
        Self.log(max(salience[i], 0), best),
        Float(own.correlation - (others.map { candidates[$0].correlation }.max() ?? 0)),
        Float(own.nearCorrelation - (others.map { candidates[$0].nearCorrelation }.max() ?? 0)),
        correlation(lag / 2), correlation(lag / 3), correlation(lag * 2 / 3),
        correlation(lag * 1.5),
        -Float(Foundation.log(1.003 - min(own.correlation, 1))),
      ] + p.between.map { Self.log($0.own, $0.beside) }
        + p.oddOnes.map { Self.log($0.own, $0.beside) }
    }
  }

  private static func log(_ part: Float, _ whole: Float) -> Float {
    whole > 0 ? min(max(Foundation.log((part + 1e-20) / whole), minLog), -minLog) : minLog
  }

  private func sums(_ values: [Float], _ f0Hz: Float) -> Sums {
    var sums = Sums()
    let count = max(1, min(Self.maxHarmonics, Int(Self.highestHz / f0Hz)))
    let step = f0Hz / hzPerBin
    func value(_ bin: Float) -> Float {
      let below = Int(bin)
      guard below + 1 < values.count else { return 0 }
      let share = bin - Float(below)
      return values[below] * (1 - share) + values[below + 1] * share
    }
    for number in 1...count {
      let harmonic = value(Float(number) * step)
      if number == 1 { sums.first = harmonic }
      if number % 2 == 1 { sums.odd += harmonic } else { sums.even += harmonic }
      if number % 3 != 0 { sums.others += harmonic }
      sums.halves += value((Float(number) - 0.5) * step)
      sums.thirds += value((Float(number) - 1 / 3) * step) + value((Float(number) - 2 / 3) * step)
    }
    for number in 1...4 {
      let place = Float(number)
      sums.between.append(
        (
          value((place - 0.5) * step),
          value(place * step) + (number > 1 ? value((place - 1) * step) : 0)
        ))
      let odd = 2 * place - 1
      sums.oddOnes.append(
        (
          value(odd * step),
          value((odd + 1) * step) + (number > 1 ? value((odd - 1) * step) : 0)
        ))
    }
    return sums
  }
}
