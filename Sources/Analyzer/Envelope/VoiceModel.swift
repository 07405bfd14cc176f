import Foundation

/// A parametric spectrum of a voiced sound: a glottal pulse and the resonances of a tube.
///
/// - Source of the pulse: Doval, d'Alessandro and Henrich, "The spectrum of glottal flow models",
///   Acta Acustica united with Acustica 92(6), 2006: a "glottal formant" near the pitch, and a
///   first-order fall above a corner frequency.
/// - Source of the resonances: Fant, "Acoustic Theory of Speech Production", 1960, with his
///   correction for the higher resonances that are not fitted.
struct VoiceModel: Equatable, Sendable {
  /// Number of fitted resonances.
  static let count = 12
  /// Number of parameters: the logarithms of `count` frequencies, of as many bandwidths and of the
  /// length scale, and four of the pulse.
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

  /// Creates the resonances of a straight tube, with the lowest replaced by `formantsHz`.
  init(formantsHz: [Double], scale: Double, f0Hz: Double) {
    self.f0Hz = f0Hz
    let hz = (0..<Self.count).map { index in
      index < formantsHz.count ? formantsHz[index] : Self.tubeHz(index) * scale
    }
    values =
      hz.map { log($0) } + hz.map { log(Self.typicalBandwidthHz($0)) }
      + [log(scale), 0, Self.typicalGlottalHz, Self.typicalGlottalWidth, Self.typicalTiltHz]
  }

  /// Returns the same glottis and vocal tract at another pitch.
  func at(f0Hz: Double) -> VoiceModel { VoiceModel(values: values, f0Hz: f0Hz) }

  private init(values: [Double], f0Hz: Double) { (self.values, self.f0Hz) = (values, f0Hz) }

  /// Formants F1 to F4, sorted, because fitting may have swapped resonances.
  var formants: [Formant] { order.prefix(4).map(formant) }

  /// Indices of the resonances by ascending frequency.
  var order: [Int] { (0..<Self.count).sorted { frequencyHz($0) < frequencyHz($1) } }

  private func formant(_ index: Int) -> Formant {
    Formant(frequencyHz: frequencyHz(index), bandwidthHz: bandwidthHz(index))
  }

  static func tubeHz(_ index: Int) -> Double { Double(2 * index + 1) * 500 }

  /// A typical bandwidth, between the values for men and women in Hawks and Miller, "A formant
  /// bandwidth estimation procedure for vowel synthesis", J. Acoust. Soc. Am. 97(2), 1995, limited
  /// to 500 Hz, where losses at the mouth no longer rise.
  static func typicalBandwidthHz(_ hz: Double) -> Double { min(60 * (1 + hz * hz / 5e6), 500) }

  /// A typical glottal formant as a multiple of the pitch, between those of pressed and lax voices
  /// in the model of Fant, Liljencrants and Lin; so are the next two.
  static let typicalGlottalHz = log(1.25)
  static let typicalGlottalWidth = log(0.85)
  static let typicalTiltHz = log(8.0)

  /// The level at each frequency, in decibels.
  func levelsDb(_ hz: [Double]) -> [Double] {
    let squares = VoiceSpectrum.squares(ofHz: hz)
    var levels = squares
    VoiceSpectrum(self).writeLevels(at: squares, to: &levels)
    return levels.numbers(hz.count)
  }
}
