import Foundation

/// The spectrum of a voiced sound in a dozen parts: a glottal pulse and the resonances of a tube.
///
/// - Source of the pulse: Doval, d'Alessandro and Henrich, "The spectrum of glottal flow models",
///   Acta Acustica united with Acustica 92(6), 2006: a "glottal formant" near the pitch, and
///   a first-order fall from some higher frequency on.
/// - Source of the resonances: Fant, "Acoustic Theory of Speech Production", 1960, with his
///   correction for those above the ones that are fitted.
struct VoiceModel: Equatable, Sendable {
  /// How many resonances can move.
  static let count = 12
  /// Of the parameters: the logarithms of `count` frequencies, of as many bandwidths, of the length
  /// scale, and the pulse.
  static let parameterCount = 2 * count + 5
  static let scaleIndex = 2 * count
  static let gainIndex = 2 * count + 1
  static let glottalHzIndex = 2 * count + 2
  static let glottalWidthIndex = 2 * count + 3
  static let tiltHzIndex = 2 * count + 4

  var values: [Double]
  let f0Hz: Double

  func frequencyHz(_ index: Int) -> Double { exp(values[index]) }
  func bandwidthHz(_ index: Int) -> Double { exp(values[Self.count + index]) }

  /// The resonances of a straight tube, and those of the mouth that `formantsHz` says more of.
  init(formantsHz: [Double], scale: Double, f0Hz: Double) {
    self.f0Hz = f0Hz
    let hz = (0..<Self.count).map { index in
      index < formantsHz.count ? formantsHz[index] : Self.tubeHz(index) * scale
    }
    values =
      hz.map { log($0) } + hz.map { log(Self.typicalBandwidthHz($0)) }
      + [log(scale), 0, Self.typicalGlottalHz, Self.typicalGlottalWidth, Self.typicalTiltHz]
  }

  static func tubeHz(_ index: Int) -> Double { Double(2 * index + 1) * 500 }

  /// Between the values for men and women in Hawks and Miller, "A formant bandwidth estimation
  /// procedure for vowel synthesis", J. Acoust. Soc. Am. 97(2), 1995, and on to where losses at the
  /// mouth no longer rise.
  static func typicalBandwidthHz(_ hz: Double) -> Double { min(60 * (1 + hz * hz / 5e6), 500) }

  /// The pulse in multiples of the pitch, between those that follow the model of Fant,
  /// Liljencrants and Lin for pressed and lax voices.
  static let typicalGlottalHz = log(1.25)
  static let typicalGlottalWidth = log(0.85)
  static let typicalTiltHz = log(8.0)

  /// The level at each frequency, in decibels.
  func levelsDb(_ hz: [Double]) -> [Double] {
    var sum = [Double](repeating: 0, count: hz.count)
    for part in 0...Self.count { addPart(part, hz, to: &sum) }
    addUpper(hz, to: &sum)
    for i in sum.indices { sum[i] += values[Self.gainIndex] }
    return sum
  }

  /// Adds one resonance, or with index `count` the pulse.
  func addPart(_ part: Int, _ hz: [Double], to sum: inout [Double]) {
    if part < Self.count {
      addResonance(frequencyHz(part), bandwidthHz(part), hz, to: &sum)
    } else {
      let glottal = f0Hz * exp(values[Self.glottalHzIndex])
      let width = exp(values[Self.glottalWidthIndex])
      let tilt = f0Hz * exp(values[Self.tiltHzIndex])
      for i in hz.indices {
        let x = hz[i] / glottal
        let y = hz[i] / tilt
        let square = (1 - x * x) * (1 - x * x) + width * width * x * x
        sum[i] += 10 * log10(x * x / square / (1 + y * y))
      }
    }
  }

  /// The resonances of a straight tube above those that are fitted.
  private func addUpper(_ hz: [Double], to sum: inout [Double]) {
    let scale = exp(values[Self.scaleIndex])
    for index in Self.count..<Self.count + 8 {
      addResonance(Self.tubeHz(index) * scale, 500, hz, to: &sum)
    }
  }

  private func addResonance(
    _ frequency: Double, _ bandwidth: Double, _ hz: [Double], to sum: inout [Double]
  ) {
    let quarter = bandwidth * bandwidth / 4
    let peak = frequency * frequency + quarter
    for i in hz.indices {
      let (below, above) = (hz[i] - frequency, hz[i] + frequency)
      let denominator = (below * below + quarter) * (above * above + quarter)
      sum[i] += 10 * log10(peak * peak / denominator)
    }
  }
}
