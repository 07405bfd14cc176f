/// A chord by name: `C:maj7`, `Am`, `Bdim`, `G7/B`.
///
/// The name is a root, a formula, and optionally a slash with another bass. The colon is optional.
public struct Chord: NamedValue, Hashable, Sendable {
  public let spelledRoot: SpelledPitch
  public let formula: ChordFormula
  /// The lowest tone; the root unless the name has another bass.
  public let spelledBass: SpelledPitch
  private let written: WrittenName

  public init(named text: String) throws(MusicError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (root, rest) = SpelledPitch.read(at: parts.first ?? "") else {
      throw .chordWithoutRoot(text)
    }
    let quality = rest.hasPrefix(":") ? rest.dropFirst() : rest
    guard let formula = ChordFormula(spelled: String(quality)) else {
      throw .chord(text, unknownQuality: String(quality))
    }
    spelledRoot = root
    self.formula = formula
    spelledBass = parts.count == 2 ? try SpelledPitch(named: String(parts[1])) : root
    written = WrittenName(text)
  }

  /// - Parameter bass: the lowest tone; the root by default.
  public init(_ root: SpelledPitch, _ formula: ChordFormula, bass: SpelledPitch? = nil) {
    (spelledRoot, self.formula, spelledBass) = (root, formula, bass ?? root)
    let over = spelledBass == root ? "" : "/\(spelledBass)"
    written = WrittenName("\(root)\(formula.symbol)\(over)")
  }

  /// The name as it was written. Chords of other names may be equal.
  public var description: String { written.text }

  public var root: PitchClass { spelledRoot.pitchClass }

  public var bass: PitchClass { spelledBass.pitchClass }

  /// The pitch classes of the chord, including its bass.
  public var tones: ToneSet {
    ToneSet(formula.semitones.map { root.semitones + $0 } + [bass.semitones])
  }

  /// The spelled tones of the formula, from the root up: C# E# G# for C#.
  public var spelledTones: [SpelledPitch] { formula.intervals.map(spelledRoot.raised(by:)) }

  /// The index of the bass among the tones: 0 the root, 1 the third, …; `nil` for a foreign bass.
  public var inversion: Int? {
    formula.semitones.firstIndex { PitchClass(root.semitones + $0) == bass }
  }

  /// Returns the keys of the chord, rising. Its bass is the first of that name at or above `lowest`.
  ///
  /// In root position a chord spans its formula. Over another bass, which may be foreign, its tones
  /// lie within the octave above that bass.
  public func notes(from lowest: Int) -> [Int] {
    let ground = lowest + PitchClass(bass.semitones - lowest).semitones
    if bass == root { return formula.semitones.map { ground + $0 } }
    let above = formula.semitones.map {
      PitchClass(root.semitones + $0 - bass.semitones).semitones
    }
    return Set(above + [0]).sorted().map { ground + $0 }
  }

  /// Returns the spelled names of the chord's keys, rising: C3, Eb3 and G3 for Cm from C3.
  public func noteNames(from lowest: Int) -> [String] {
    let tones = spelledTones + [spelledBass]
    return notes(from: lowest).map { note in
      tones.first { $0.pitchClass == PitchClass(note) }!.name(ofNote: note)  // each is of the chord
    }
  }
}

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
  /// The label in the syntax of Harte, Sandler, Abdallah and Gómez (ISMIR 2005): `A:min7/b3`. A foreign
  /// bass is left out.
  public var harteLabel: String {
    let others = ["6": "maj6", "aug7": "aug(b7)", "7sus4": "sus4(b7)"]
    let name = "\(spelledRoot):\(others[formula.name] ?? formula.name)"
    guard let inversion, inversion > 0 else { return name }
    return "\(name)/\(formula.intervals[inversion])"
  }

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
