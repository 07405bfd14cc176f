import Music

/// Which voice of the choir sings which note.
///
/// The policy: notes that begin within 60 ms of the first of them are one chord, in whatever order
/// they were struck. A chord goes, from its lowest note up, to the voices that are free when its
/// first note begins, from the first voice up. Where too few are free, the voice whose note has
/// sounded longest gives it up (of several, the first voice). So one chord after another is sung
/// lowest to highest by the first voices, and a note that is held stays with its voice.
struct VoiceAllocation: Equatable, Sendable {
  /// In order of time, without overlap; one list for each voice.
  private(set) var voices: [[HeldNote]] = []

  /// Of a score by itself; played live it may have 16.
  static let voiceLimit = 8
  static let chordSeconds = 0.060

  /// More notes at once than voices.
  struct TooManyNotes: Error, CustomStringConvertible {
    var count: Int
    var atSeconds: Double

    var description: String {
      "\(count) notes begin together at \(atSeconds) s; there are \(voiceLimit) voices"
    }
  }

  /// - Parameter notes: in order of beginning.
  init(of notes: [HeldNote]) throws(TooManyNotes) {
    var rest = notes[...]
    while let first = rest.first {
      let chord = rest.prefix { $0.startSeconds - first.startSeconds < Self.chordSeconds + 1e-9 }
      rest = rest.dropFirst(chord.count)
      guard chord.count <= Self.voiceLimit else {
        throw TooManyNotes(count: chord.count, atSeconds: first.startSeconds)
      }
      let rising = chord.sorted { $0.note < $1.note }
      let takers = takers(of: chord.count, atSeconds: first.startSeconds)
      for (voice, note) in zip(takers, rising) { give(note, to: voice) }
    }
  }

  /// The voices for a chord, rising.
  private mutating func takers(of count: Int, atSeconds now: Double) -> [Int] {
    func isFree(_ voice: Int) -> Bool { voices[voice].last.map { $0.endSeconds <= now } ?? true }
    while voices.indices.count(where: isFree) < count, voices.count < Self.voiceLimit {
      voices.append([])
    }
    let free = voices.indices.filter(isFree)
    let longest = voices.indices.filter { !isFree($0) }
      .sorted { (voices[$0].last!.startSeconds, $0) < (voices[$1].last!.startSeconds, $1) }
    return (free + longest).prefix(count).sorted()
  }

  private mutating func give(_ note: HeldNote, to voice: Int) {
    if let last = voices[voice].indices.last {
      let end = min(voices[voice][last].endSeconds, note.startSeconds)
      voices[voice][last].endSeconds = end
      voices[voice][last].bends.removeAll { $0.atSeconds >= end }
    }
    voices[voice].append(note)
  }
}
