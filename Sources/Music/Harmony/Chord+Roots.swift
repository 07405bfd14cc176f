extension SpelledPitch {
  /// The root of a chord as it is written outside of any key.
  ///
  /// A chord is written as the key of its own name with the fewest signs: Db has five flats where C#
  /// has seven sharps, but C#m four sharps where Dbm would need eight flats.
  public init(rootOf formula: ChordFormula, at pitch: PitchClass) {
    let (major, minor) = Self.roots[pitch.semitones]
    self = try! SpelledPitch(named: formula.isMinor ? minor : major)  // the table is well-formed
  }

  /// The twelve roots, of chords with a major third (or none) and with a minor one. Where two keys
  /// have six signs each, F# and Ebm are taken.
  private static let roots: [(major: String, minor: String)] = [
    ("C", "C"), ("Db", "C#"), ("D", "D"), ("Eb", "Eb"), ("E", "E"), ("F", "F"),
    ("F#", "F#"), ("G", "G"), ("Ab", "G#"), ("A", "A"), ("Bb", "Bb"), ("B", "B"),
  ]
}

extension Chord {
  /// A chord on one of the twelve roots, as it is written outside of any key.
  public init(at root: PitchClass, _ formula: ChordFormula) {
    self.init(SpelledPitch(rootOf: formula, at: root), formula)
  }

  /// Every formula on every root, over its root: by formula, the plainest first, then from C up.
  public static let all: [Chord] = ChordFormula.all.flatMap { formula in
    (0..<12).map { Chord(at: PitchClass($0), formula) }
  }

  /// The same chord over another of its tones: 0 is its root, 1 its third, 2 its fifth, …
  ///
  /// - Parameter inversion: from 0, below the number of its tones.
  public func inverted(_ inversion: Int) -> Chord {
    let tones = Chord(spelledRoot, formula).spelledTones
    precondition(tones.indices.contains(inversion), "a chord has as many inversions as tones")
    return Chord(spelledRoot, formula, bass: tones[inversion])
  }
}

extension ChordFormula {
  /// Whether its third is minor.
  var isMinor: Bool { tones.contains(3) && !tones.contains(4) }
}
