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

  /// The same glottis and mouth at another pitch.
  func at(f0Hz: Double) -> VoiceModel { VoiceModel(values: values, f0Hz: f0Hz) }

  private init(values: [Double], f0Hz: Double) { (self.values, self.f0Hz) = (values, f0Hz) }

  /// F1 to F4. Resonances may have changed places while they were fitted.
  var formants: [Formant] { order.prefix(4).map(formant) }

  /// The indices of the resonances by rising frequency.
  var order: [Int] { (0..<Self.count).sorted { frequencyHz($0) < frequencyHz($1) } }

  private func formant(_ index: Int) -> Formant {
    Formant(frequencyHz: frequencyHz(index), bandwidthHz: bandwidthHz(index))
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
    let resonances = (0..<Self.count).map { Resonance(hz: frequencyHz($0), width: bandwidthHz($0)) }
    let scale = exp(values[Self.scaleIndex])
    // Those of a straight tube above the ones that are fitted.
    let upper = (Self.count..<Self.count + 8).map {
      Resonance(hz: Self.tubeHz($0) * scale, width: 500)
    }
    let (all, pulse) = (resonances + upper, Pulse(self))
    return hz.map { hz in
      // One logarithm of the product costs less than one of each factor.
      var power = pulse.power(hz)
      for resonance in all { power *= resonance.power(hz) }
      return values[Self.gainIndex] + 10 * log10(power)
    }
  }

  /// How each level changes with a parameter, in decibels for each unit; that of the length, which
  /// only moves what is above the band, is taken for 0.
  func slopes(_ hz: [Double]) -> [[Double]] {
    var slopes = [[Double]](
      repeating: [Double](repeating: 0, count: hz.count), count: Self.parameterCount)
    for part in 0..<Self.count {
      let resonance = Resonance(hz: frequencyHz(part), width: bandwidthHz(part))
      for i in hz.indices {
        let (byFrequency, byBandwidth) = resonance.slopes(hz[i])
        slopes[part][i] = byFrequency
        slopes[Self.count + part][i] = byBandwidth
      }
    }
    let pulse = Pulse(self)
    for i in hz.indices {
      slopes[Self.gainIndex][i] = 1
      (
        slopes[Self.glottalHzIndex][i], slopes[Self.glottalWidthIndex][i],
        slopes[Self.tiltHzIndex][i]
      ) = pulse.slopes(hz[i])
    }
    return slopes
  }

  /// Decibels per unit of the natural logarithm of a power.
  private static let perLog = 10 / log(10.0)

  /// A pair of poles; at 0 Hz its power is 1.
  private struct Resonance {
    let hz: Double
    let quarter: Double  // of the square of the bandwidth
    let peak: Double

    init(hz: Double, width: Double) {
      self.hz = hz
      quarter = width * width / 4
      peak = hz * hz + quarter
    }

    func power(_ at: Double) -> Double {
      let (below, above) = (at - hz, at + hz)
      return peak / (below * below + quarter) * (peak / (above * above + quarter))
    }

    /// By the logarithms of frequency and bandwidth.
    func slopes(_ at: Double) -> (Double, Double) {
      let (below, above) = (at - hz, at + hz)
      let (near, far) = (1 / (below * below + quarter), 1 / (above * above + quarter))
      return (
        perLog * 2 * hz * (2 * hz / peak + below * near - above * far),
        perLog * 2 * quarter * (2 / peak - near - far)
      )
    }
  }

  /// The glottal pulse.
  private struct Pulse {
    let glottalHz: Double
    let width: Double
    let tiltHz: Double

    init(_ model: VoiceModel) {
      glottalHz = model.f0Hz * exp(model.values[glottalHzIndex])
      width = exp(model.values[glottalWidthIndex])
      tiltHz = model.f0Hz * exp(model.values[tiltHzIndex])
    }

    func power(_ at: Double) -> Double {
      let (x, y) = (at / glottalHz, at / tiltHz)
      let square = (1 - x * x) * (1 - x * x) + width * width * x * x
      return x * x / square / (1 + y * y)
    }

    /// By the logarithms of the glottal formant's frequency and width, and of the tilt's corner.
    func slopes(_ at: Double) -> (Double, Double, Double) {
      let (x, y) = (at / glottalHz, at / tiltHz)
      let (xx, ww) = (x * x, width * width)
      let square = (1 - xx) * (1 - xx) + ww * xx
      return (
        perLog * (-2 - (4 * xx * (1 - xx) - 2 * ww * xx) / square),
        perLog * (-2 * ww * xx / square), perLog * 2 * y * y / (1 + y * y)
      )
    }
  }
}
