import DSP

extension Engine {
  /// Returns the ratio of the formants under a shift: 1 keeps them, the pitch's own ratio moves
  /// them along.
  ///
  /// - Parameter formantShiftSemitones: of the voice, the engine's own included.
  public func formantRatio(shiftSemitones: Double, formantShiftSemitones: Double) -> Double {
    frequencyRatio(
      ofSemitones: (movesFormantsAlong ? shiftSemitones : 0) + formantShiftSemitones)
  }

  /// True if formants go with the pitch unless they are held.
  private var movesFormantsAlong: Bool {
    switch self {
    case .delayLine: true
    case .psola: false
    case .vocoder(let settings): !settings.formantsKept
    }
  }

  /// Throws where a voice asks for what this engine cannot do with formants.
  func validate(_ voice: Harmonizer.Voice, index: Int) throws(SettingsError) {
    let wanted = voice.formantShiftSemitones
    guard wanted != 0 else { return }
    let setting = "formantShiftSemitones of voice \(index + 1)"
    guard movesFormants else {
      throw .ruledOut(
        setting: setting, value: wanted, by: "the engine \(name.rawValue)",
        instead: "choose 0, or the engine psola or vocoder")
    }
    try require(
      "\(setting) and of the engine, together", formantShiftSemitones + wanted,
      in: Self.formantRange)
  }
}
