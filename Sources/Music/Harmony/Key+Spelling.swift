import DSP

extension Key {
  /// How a pitch is written in this key.
  ///
  /// The tones of a scale of seven take one letter each: the seventh of F# major is E#. Any other
  /// pitch is written as near to the key as the line of fifths allows. Around a major tonic that
  /// is from its lowered second to its raised fourth; a key with a minor third is written around
  /// its relative major, with the raised sixth and seventh as sharps: G# in A minor.
  public func spelling(of pitch: PitchClass) -> SpelledPitch {
    if let known = spelledScale.first(where: { $0.pitchClass == pitch }) { return known }
    let lowest = spelledTonic.fifths - (isMinor ? 6 : 5)
    let window = (lowest..<lowest + 12).lazy.map(SpelledPitch.init(fifths:))
    return window.first { $0.pitchClass == pitch }!  // twelve fifths are all twelve classes
  }

  /// The name of a key of the keyboard as it is written here, with its octave: `E#4`, `Cb5`.
  ///
  /// The octave is the letter's: Cb5 is the same key as B4.
  public func name(ofNote note: Int) -> String {
    let pitch = spelling(of: PitchClass(note))
    return "\(pitch)\(floorOf(Double(note - pitch.semitones) / 12) - 1)"
  }

  /// The tones of the key as they are written, rising from the tonic: a letter each where there are
  /// seven.
  public var spelledTones: [SpelledPitch] {
    scale.semitones.map { spelling(of: PitchClass(tonic.semitones + $0)) }
  }

  /// The tones of the scale with a letter each; empty where the scale has not seven.
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
