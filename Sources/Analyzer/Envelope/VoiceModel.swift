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
    let resonances = (0..<Self.count).map { Resonance(hz: frequencyHz($0), width: bandwidthHz($0)) }
    let scale = exp(values[Self.scaleIndex])
    // The resonances of a straight tube above the fitted ones.
    let upper = (Self.count..<Self.count + 8).map {
      Resonance(hz: Self.tubeHz($0) * scale, width: 500)
    }
    let pulse = Pulse(self)
    // One logarithm of the product is cheaper than one for each factor, and so is one division for
    // all resonances of a group. The products of larger groups would exceed the range of numbers.
    var powers = hz.map { pulse.power($0) }
    for group in [resonances[..<6], resonances[6...], upper[...]] {
      Resonance.multiply(&powers, by: group, at: hz)
    }
    return powers.map { values[Self.gainIndex] + 10 * log10($0) }
  }

  /// The derivative of each level by each parameter, in decibels per unit. That of the length
  /// scale, which only moves resonances above the band, is taken as 0.
  func slopes(_ hz: [Double]) -> [[Double]] {
    var slopes = [[Double]](
      repeating: [Double](repeating: 0, count: hz.count), count: Self.parameterCount)
    for part in 0..<Self.count {
      let resonance = Resonance(hz: frequencyHz(part), width: bandwidthHz(part))
      var (byFrequency, byBandwidth) = (slopes[part], slopes[Self.count + part])
      resonance.slopes(hz, &byFrequency, &byBandwidth)
      (slopes[part], slopes[Self.count + part]) = (byFrequency, byBandwidth)
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

  /// A pair of poles with unit power at 0 Hz.
  private struct Resonance {
    let hz: Double
    let quarter: Double  // of the square of the bandwidth
    let peak: Double

    init(hz: Double, width: Double) {
      self.hz = hz
      quarter = width * width / 4
      peak = hz * hz + quarter
    }

    /// Multiplies `powers` at the frequencies `hz` by those of at most eight resonances.
    static func multiply(_ powers: inout [Double], by group: ArraySlice<Resonance>, at hz: [Double])
    {
      precondition(group.count <= 8 && powers.count == hz.count)
      let peaks = group.reduce(1) { $0 * $1.peak * $1.peak }
      // Each resonance divides by less than 10²⁰ Hz⁴, so eight stay within the range of numbers.
      var divisors = [Double](repeating: 1, count: hz.count)
      unsafe hz.withUnsafeBufferPointer { hz in
        unsafe divisors.withUnsafeMutableBufferPointer { divisors in
          for resonance in group {
            let (own, quarter) = (resonance.hz, resonance.quarter)
            for i in 0..<hz.count {
              let (below, above) = unsafe (hz[i] - own, hz[i] + own)
              unsafe divisors[i] *= (below * below + quarter) * (above * above + quarter)
            }
          }
        }
      }
      for i in powers.indices { powers[i] *= peaks / divisors[i] }
    }

    /// The derivatives by the logarithms of frequency and bandwidth, at each frequency.
    func slopes(_ at: [Double], _ byFrequency: inout [Double], _ byBandwidth: inout [Double]) {
      precondition(byFrequency.count == at.count && byBandwidth.count == at.count)
      let (scale, width) = (perLog * 2 * hz, perLog * 2 * quarter)
      let (shift, constant) = (2 * hz / peak, 2 / peak)
      unsafe at.withUnsafeBufferPointer { at in
        unsafe byFrequency.withUnsafeMutableBufferPointer { byFrequency in
          unsafe byBandwidth.withUnsafeMutableBufferPointer { byBandwidth in
            for i in 0..<at.count {
              let (below, above) = unsafe (at[i] - hz, at[i] + hz)
              let (near, far) = (1 / (below * below + quarter), 1 / (above * above + quarter))
              unsafe byFrequency[i] = scale * (shift + below * near - above * far)
              unsafe byBandwidth[i] = width * (constant - near - far)
            }
          }
        }
      }
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

    /// The derivatives by the logarithms of the glottal formant's frequency and width, and of the
    /// tilt's corner frequency.
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
