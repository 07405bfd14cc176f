extension Key {
  /// Returns the chords of stacked thirds on each tone of the key: triads, or seventh chords.
  ///
  /// An entry is `nil` if no formula fits, such as for the augmented triad with a major seventh in
  /// harmonic minor. The list is empty unless the scale has seven tones.
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
