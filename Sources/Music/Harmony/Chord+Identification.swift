extension Chord {
  /// The chords that notes may be, the likeliest first; none where no formula fits.
  ///
  /// The lowest note is the bass. First come chords whose tones are exactly the notes', then those
  /// that lack only their fifth, then chords over a foreign bass. Among equals a chord over its
  /// root comes before its inversions and a plain formula before a rare one; so C E G A is C6 and
  /// A C E G is Am7, of the same four tones.
  ///
  /// - Parameters:
  ///   - notes: keys of the keyboard, in any order and doubling.
  ///   - key: in which the names are spelled; unless given, each chord is written as the key of
  ///     its own name with the fewest signs. A bass that is one of its tones is written as that.
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

  /// How well the tones of a chord fit what is heard.
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
