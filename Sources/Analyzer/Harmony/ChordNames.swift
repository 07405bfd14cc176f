/// Names a set of tones.
///
/// The names are all chords of a table that have exactly these tones, in Harte's syntax. `C E G A`
/// is both `C:maj6` and `A:min7/b3`. Names whose root is the bass come first, then the table's
/// order from common to rare. If none fits, the lowest tone may be foreign to the chord above it:
/// `D C E G` is `C:maj/2`.
///
/// - Cost: 12 times the length of the table. Allocates.
public enum ChordNames {
  /// Returns every name, the most likely first; empty if no chord of the table has these tones.
  ///
  /// - Parameters:
  ///   - notes: MIDI numbers in any order; the lowest is the bass.
  public static func of(notes: [Int]) -> [ChordLabel] {
    guard let bass = notes.min() else { return [] }
    return of(pitchClasses: notes, bass: bass)
  }

  /// Returns every name of the given pitch classes over a bass.
  ///
  /// - Parameters:
  ///   - pitchClasses: semitones above any C.
  ///   - bass: pitch class of the lowest tone.
  public static func of(pitchClasses: [Int], bass: Int) -> [ChordLabel] {
    let tones = PitchClasses.set(pitchClasses)
    let lowest = ((bass % 12) + 12) % 12
    let whole = names(of: tones | 1 << UInt16(lowest), bass: lowest)
    return whole.isEmpty ? names(of: tones & ~(1 << UInt16(lowest)), bass: lowest) : whole
  }

  private static func names(of tones: UInt16, bass: Int) -> [ChordLabel] {
    let named = ChordFormulas.all.enumerated().flatMap { rank, formula in
      PitchClasses.members(tones).compactMap { root -> (isInverted: Bool, rank: Int, ChordLabel)? in
        guard PitchClasses.rotated(formula.tones, by: root) == tones else { return nil }
        return (root != bass, rank, label(root: root, formula, bass: bass))
      }
    }
    return named.sorted { ($0.isInverted ? 1 : 0, $0.rank) < ($1.isInverted ? 1 : 0, $1.rank) }
      .map(\.2)
  }

  static func label(root: Int, _ formula: ChordFormulas.Formula, bass: Int) -> ChordLabel {
    let interval = ((bass - root) % 12 + 12) % 12
    let inversion = interval == 0 ? "" : "/" + formula.degree(ofInterval: interval)
    let text = "\(PitchClasses.names[root]):\(formula.name)\(inversion)"
    guard let label = try? ChordLabel(text) else {
      preconditionFailure("\(text) is not a label")  // The tests parse every name of the table.
    }
    return label
  }
}
