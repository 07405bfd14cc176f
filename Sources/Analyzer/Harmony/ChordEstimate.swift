/// The chord that is most similar to a chroma.
///
/// The similarity is the cosine between the chroma and a chord of equally strong tones. Candidates
/// are the named chords of three tones or more, up to the seventh.
public struct ChordEstimate: Equatable, Sendable {
  /// The chord, with its inversion if the bass belongs to it; `N` if no chord is similar enough.
  public let chord: ChordLabel
  /// Similarity, 0 to 1.
  public let likeness: Double
  /// Lead over the next chord, a confidence of 0 to 1.
  public let margin: Double
  /// Strength of each pitch class from C; the strongest is 1, or all are 0.
  public let chroma: [Double]

  /// Minimum similarity of a chord.
  static let leastLikeness = 0.75

  init(chroma: [Double], bass: Int?) {
    let top = chroma.max() ?? 0
    self.chroma = chroma.map { top > 0 ? $0 / top : 0 }
    let found = Self.likenesses(of: chroma).enumerated().sorted { a, b in
      // Of two names for the same tones, prefer the one whose root is the bass.
      if abs(a.element - b.element) > 1e-9 { return a.element > b.element }
      let (first, second) = (Self.chords[a.offset], Self.chords[b.offset])
      return (first.root == bass ? 0 : 1, a.offset) < (second.root == bass ? 0 : 1, b.offset)
    }
    let best = Self.chords[found[0].offset]
    likeness = found[0].element
    // Other names for the same tones are not rivals.
    let rival = found.first { Self.chords[$0.offset].tones != best.tones }!
    margin = max(0, likeness - rival.element)
    chord = likeness >= Self.leastLikeness ? best.label(overBass: bass) : .noChord
  }

  /// A root and a formula.
  struct Candidate: Sendable {
    let root: Int
    let formula: ChordFormulas.Formula
    /// The pitch classes as a bit set.
    let tones: UInt16

    func label(overBass bass: Int?) -> ChordLabel {
      let isOwn = bass.map { tones >> UInt16($0) & 1 == 1 } ?? false
      return ChordNames.label(root: root, formula, bass: isOwn ? bass! : root)
    }
  }

  static let chords: [Candidate] = ChordFormulas.audible.flatMap { formula in
    (0..<12).map { root in
      Candidate(
        root: root, formula: formula, tones: PitchClasses.rotated(formula.tones, by: root))
    }
  }

  /// The similarity to each of `chords`; all 0 in silence.
  static func likenesses(of chroma: [Double]) -> [Double] {
    let norm = chroma.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return chords.map { chord in
      let tones = PitchClasses.members(chord.tones)
      let sum = tones.reduce(0) { $0 + chroma[$1] }
      return norm > 0 ? sum / (norm * Double(tones.count).squareRoot()) : 0
    }
  }
}
