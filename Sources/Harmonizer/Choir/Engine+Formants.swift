extension Engine {
  /// What becomes of formants under a shift: 1 keeps them, the pitch's own ratio moves them along.
  func formantRatio(shiftSemitones: Double) -> Double {
    switch self {
    case .delayLine: frequencyRatio(ofSemitones: shiftSemitones)
    case .psola(let settings): frequencyRatio(ofSemitones: settings.formantShiftSemitones)
    case .vocoder(let settings):
      frequencyRatio(
        ofSemitones: (settings.formantsKept ? 0 : shiftSemitones) + settings.formantShiftSemitones)
    }
  }
}
