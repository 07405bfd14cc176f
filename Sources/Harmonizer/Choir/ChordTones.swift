import Music

/// A chord for the audio thread: its tones, root, bass and pure tuning.
public struct ChordTones: Equatable, Sendable, BitwiseCopyable {
  /// Pitch classes from C.
  public let tones: ToneSet
  /// Pitch class of the root.
  public let root: Int
  /// Pitch class of the bass.
  public let bass: Int
  public let tuning: ChordTuning

  public init(_ chord: Chord) {
    (tones, root, bass) = (chord.tones, chord.root.semitones, chord.bass.semitones)
    tuning = ChordTuning(chord)
  }

  /// Cost of leaving a tone out when there are too few voices: the fifth least, then the root,
  /// which the ear makes up.
  @_noLocks func weight(of key: Int) -> Int {
    switch ToneSet.pitchClass(key - root) {
    case 7: 1
    case 0: 2
    default: 3
    }
  }
}
