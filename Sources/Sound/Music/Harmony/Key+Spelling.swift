extension Key {
  /// Returns the spelling of a pitch in this key.
  ///
  /// The tones of a scale of seven have one letter each: the seventh of F# major is E#. Any other
  /// pitch takes the spelling nearest to the key on the line of fifths: from the lowered second to
  /// the raised fourth around a major tonic. A key with a minor third takes the spellings around its
  /// relative major, but sharps for its raised sixth and seventh: G# in A minor.
  public func spelling(of pitch: PitchClass) -> SpelledPitch {
    if let known = spelledScale.first(where: { $0.pitchClass == pitch }) { return known }
    let lowest = spelledTonic.fifths - (isMinor ? 6 : 5)
    let window = (lowest..<lowest + 12).lazy.map(SpelledPitch.init(fifths:))
    return window.first { $0.pitchClass == pitch }!  // twelve fifths are all twelve classes
  }

  /// Returns the spelled name of a key of the keyboard, with its octave: `E#4`, `Cb5`.
  ///
  /// The octave is the letter's: Cb5 is the same key as B4.
  public func name(ofNote note: Int) -> String {
    spelling(of: PitchClass(note)).name(ofNote: note)
  }

  /// The spelled tones of the key, rising from the tonic. Seven tones have one letter each.
  public var spelledTones: [SpelledPitch] {
    scale.semitones.map { spelling(of: PitchClass(tonic.semitones + $0)) }
  }

  /// The tones of the scale with one letter each; empty unless the scale has seven.
  private var spelledScale: [SpelledPitch] {
    let rising = scale.semitones
    guard rising.count == 7 else { return [] }
    return rising.enumerated().map { steps, semitones in
      let alteration = semitones - Interval(steps: steps).semitones
      return spelledTonic.raised(by: Interval(steps: steps, alteration: alteration))
    }
  }

  private var isMinor: Bool { scale.contains(3) && !scale.contains(4) }
}
