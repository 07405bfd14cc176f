extension SpelledPitch {
  /// The usual spelling of a chord's root outside of any key.
  ///
  /// It is the one whose key has the fewest signs: Db has five flats and C# seven sharps, but C#m
  /// has four sharps and Dbm eight flats.
  public init(rootOf formula: ChordFormula, at pitch: PitchClass) {
    let (major, minor) = Self.roots[pitch.semitones]
    self = try! SpelledPitch(named: formula.isMinor ? minor : major)  // the table is well-formed
  }

  /// The twelve roots of chords with a major third (or none) and with a minor one. F# and Ebm are
  /// preferred to Gb and D#m, which have six signs each as well.
  private static let roots: [(major: String, minor: String)] = [
    ("C", "C"), ("Db", "C#"), ("D", "D"), ("Eb", "Eb"), ("E", "E"), ("F", "F"),
    ("F#", "F#"), ("G", "G"), ("Ab", "G#"), ("A", "A"), ("Bb", "Bb"), ("B", "B"),
  ]
}

extension Chord {
  /// A chord on one of the twelve roots, spelled as usual outside of any key.
  public init(at root: PitchClass, _ formula: ChordFormula) {
    self.init(SpelledPitch(rootOf: formula, at: root), formula)
  }

  /// Every formula on every root, in root position: by formula, the most common first, then from C.
  public static let all: [Chord] = ChordFormula.all.flatMap { formula in
    (0..<12).map { Chord(at: PitchClass($0), formula) }
  }
}

extension ChordFormula {
  /// True for a minor third and no major one.
  var isMinor: Bool { tones.contains(3) && !tones.contains(4) }
}
