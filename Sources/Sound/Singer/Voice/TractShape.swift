/// The resonances of the vocal tract at one instant.
struct TractShape: Equatable {
  /// Frequencies in Hz: F1 to F5 in lanes 0 to 4, the nasal pole in lane 5, its zero in lane 6.
  var frequenciesHz: SIMD8<Double>
  var bandwidthsHz: SIMD8<Double>

  static let nasalPole = 5
  static let nasalZero = 6
  /// Frequency at which the nasal pole and zero cancel in oral sounds.
  static let restingNasalHz = 270.0

  func blended(with other: TractShape, share: Double) -> TractShape {
    TractShape(
      frequenciesHz: frequenciesHz + (other.frequenciesHz - frequenciesHz) * share,
      bandwidthsHz: bandwidthsHz + (other.bandwidthsHz - bandwidthsHz) * share)
  }
}

extension Voice {
  /// Returns this voice's shape for a phone; nil if the phone has none of its own.
  func shape(of phone: Phone) -> TractShape? {
    let acoustics = phone.acoustics
    guard let formantsHz = acoustics.formantsHz, let bandwidthsHz = acoustics.bandwidthsHz else {
      return nil
    }
    // The singer's formant: F3 to F5 gather near 2.8 kHz, which carries a trained voice over an
    // orchestra (Sundberg, "Articulatory interpretation of the singing formant", J. Acoust. Soc.
    // Am. 55(4), 1974). Consonants are unaffected.
    let gather = phone.manner == .vowel ? ring : 0
    let upper = [3_500 - 400 * gather, 4_500 - 700 * gather]
    var frequencies = SIMD8<Double>(repeating: TractShape.restingNasalHz)
    var bandwidths = SIMD8<Double>(repeating: 100)
    for lane in 0..<5 {
      let hz = lane < 3 ? formantsHz[lane] : upper[lane - 3]
      frequencies[lane] = hz * formantScale
      bandwidths[lane] = lane < 3 ? bandwidthsHz[lane] : [200, 280][lane - 3]
    }
    if let zeroHz = acoustics.nasalZeroHz {
      frequencies[TractShape.nasalZero] = zeroHz * formantScale
    }
    return TractShape(frequenciesHz: frequencies, bandwidthsHz: bandwidths)
  }
}
