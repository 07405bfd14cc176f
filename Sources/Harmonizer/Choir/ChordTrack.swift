import DSP
import Music

/// Chords over time, each until the next.
public struct ChordTrack: Codable, Equatable, Sendable {
  public struct Entry: Codable, Equatable, Sendable {
    public var atSeconds: Double
    /// `nil` is silence.
    public var chord: Chord?

    public init(atSeconds: Double, _ chord: Chord?) {
      (self.atSeconds, self.chord) = (atSeconds, chord)
    }
  }

  /// Entries in order of time.
  public var entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  public func validate() throws(SettingsError) {
    var earliest = 0.0
    for entry in entries {
      try require("atSeconds", entry.atSeconds, in: earliest...86_400)
      earliest = entry.atSeconds
    }
  }
}

/// A chord track as the audio thread follows it.
///
/// - Allocates: in `init` only.
struct ChordTimeline: ~Copyable, @unchecked Sendable {
  private let chords: RealtimeArray<ChordTones?>
  private let starts: RealtimeArray<Int>  // samples
  private var place = 0  // of the next entry

  init(_ track: ChordTrack, sampleRateHz: Double) throws(SettingsError) {
    try track.validate()
    chords = RealtimeArray(track.entries.map { $0.chord.map(ChordTones.init) })
    starts = RealtimeArray<Int>(track.entries.map { Int(($0.atSeconds * sampleRateHz).rounded()) })
  }

  /// True if an entry begins at `sample` or before it that was not passed yet; then `chord` is the
  /// last such.
  @_noLocks mutating func pass(to sample: Int, _ chord: inout ChordTones?) -> Bool {
    var isNew = false
    while place < starts.count, starts[place] <= sample {
      chord = chords[place]
      place += 1
      isNew = true
    }
    return isNew
  }

  @_noLocks mutating func reset() { place = 0 }
}

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
