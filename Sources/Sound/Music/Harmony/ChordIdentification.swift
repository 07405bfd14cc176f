extension Chord {
  /// Returns the chords that notes may form, the most plausible first; none if no formula fits.
  ///
  /// The lowest note is the bass. Chords with exactly these tones come first, then chords that lack
  /// only their fifth, then chords over a foreign bass. Among these, root position comes before
  /// inversions and a common formula before a rare one: C E G A is C6, and A C E G is Am7, although
  /// the tones are the same.
  ///
  /// - Parameters:
  ///   - notes: keys of the keyboard, in any order, doubled or not.
  ///   - key: the key in which names are spelled. Without it, a root is spelled so that the key of
  ///     that name has the fewest signs. A bass that is a tone of the chord is spelled as that tone.
  public static func identified(from notes: [Int], in key: Key? = nil) -> [Chord] {
    guard let lowest = notes.min() else { return [] }
    let (heard, bass) = (ToneSet(notes), PitchClass(lowest))
    var found: [(rank: [Int], chord: Chord)] = []
    for root in 0..<12 {
      for (place, formula) in ChordFormula.all.enumerated() {
        let fit = Fit(heard, bass: bass, root: root, formula.tones)
        guard let fit else { continue }
        let chord = spelled(PitchClass(root), formula, bass, key)
        found.append(([fit.rawValue, chord.inversion ?? 9, place, root], chord))
      }
    }
    return found.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.chord)
  }

  /// How well the tones of a chord fit the notes.
  private enum Fit: Int {
    case exact, withoutFifth, overForeignBass

    init?(_ heard: ToneSet, bass: PitchClass, root: Int, _ formula: ToneSet) {
      let chord = formula.transposed(by: root)
      let fifth = ToneSet([root + 7])
      if chord == heard {
        self = .exact
      } else if formula.count > 3, formula.contains(7), heard.contains(root),
        chord.bits & ~fifth.bits == heard.bits
      {
        self = .withoutFifth
      } else if formula.count > 2, !chord.contains(bass.semitones),
        chord.bits | 1 << UInt16(bass.semitones) == heard.bits
      {
        self = .overForeignBass
      } else {
        return nil
      }
    }
  }

  private static func spelled(
    _ root: PitchClass, _ formula: ChordFormula, _ bass: PitchClass, _ key: Key?
  ) -> Chord {
    let written = key?.spelling(of: root) ?? SpelledPitch(rootOf: formula, at: root)
    let chord = Chord(written, formula)
    let own = Key(written, Scale.named[formula.isMinor ? 1 : 0])
    let tone = chord.spelledTones.first { $0.pitchClass == bass }
    return Chord(written, formula, bass: tone ?? (key ?? own).spelling(of: bass))
  }
}
