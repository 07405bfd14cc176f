import DSP
import Music

/// The pure tuning of one chord: what each of its tones is to the root, in whole numbers.
///
/// With the lead on one of its tones, as barbershop quartets sing, the other voices stand in pure
/// ratios to the pitch that the lead actually sings: over C7 with the lead on E a little sharp, G is
/// 6/5 of that very E.
public struct ChordTuning: Equatable, Sendable, BitwiseCopyable {
  /// The root's pitch class.
  private let root: Int
  /// The ratio of each semitone above the root to it, 1 up to 2, of which twelve are used; 0 for
  /// what is no tone.
  private let ratios: SIMD16<Double>

  public init(_ chord: Chord) {
    root = chord.root.semitones
    var ratios = SIMD16<Double>()
    let parts = chord.formula.justParts
    for (semitones, part) in zip(chord.formula.semitones, parts) {
      let octaves = semitones / 12
      ratios[semitones - 12 * octaves] = Double(part) / Double(parts[0]) / Double(1 << octaves)
    }
    self.ratios = ratios
  }

  /// The frequency of a key against that of another, both of the chord; `nil` if one is not.
  @_noLocks public func ratio(ofKey key: Int, toKey lead: Int) -> Double? {
    guard let upper = place(of: key), let lower = place(of: lead) else { return nil }
    var ratio = upper.ratio / lower.ratio
    var octaves = upper.octave - lower.octave
    while octaves > 0 { (ratio, octaves) = (ratio * 2, octaves - 1) }
    while octaves < 0 { (ratio, octaves) = (ratio / 2, octaves + 1) }
    return ratio
  }

  @_noLocks private func place(of key: Int) -> (octave: Int, ratio: Double)? {
    let above = ToneSet.pitchClass(key - root)
    let ratio = ratios[above]
    return ratio > 0 ? (floorOf(Double(key - root - above) / 12), ratio) : nil
  }
}
