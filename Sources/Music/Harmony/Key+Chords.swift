extension Key {
  /// The chords of stacked thirds on each tone of the key: triads, or with sevenths.
  ///
  /// `nil` stands where no formula fits, as for the augmented triad with a major seventh in harmonic
  /// minor. Empty where the scale has not seven tones.
  public func chords(withSevenths: Bool = false) -> [Chord?] {
    guard scale.semitones.count == 7 else { return [] }
    let tones = spelledTones
    return tones.indices.map { step in
      let stack = (0..<(withSevenths ? 4 : 3)).map { tones[(step + 2 * $0) % 7] }
      let formula = ChordFormula.all.first { formula in
        formula.intervals.map(stack[0].raised(by:)) == stack
      }
      return formula.map { Chord(stack[0], $0) }
    }
  }
}
