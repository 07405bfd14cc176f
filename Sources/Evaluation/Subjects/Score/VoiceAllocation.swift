import Music
import Platform

/// The assignment of a score's notes to the voices of the choir.
///
/// Notes that begin within 60 ms of the first are one chord, in any order. A chord goes, from its
/// lowest note up, to the voices that are free when its first note begins, from the first voice up. If
/// too few are free, the voices whose notes have sounded longest take the new ones; among equals, the
/// first voice. So successive chords are sung lowest to highest by the first voices, and a held note
/// stays with its voice.
struct VoiceAllocation: Equatable, Sendable {
  /// The notes of each voice, in order of time, without overlap.
  private(set) var voices: [[HeldNote]] = []

  /// Largest number of voices; played live, a score may have 16.
  static let voiceLimit = 8
  static let chordSeconds = 0.060

  /// Assigns notes.
  ///
  /// - Parameter notes: the notes in order of their starts.
  init(of notes: [HeldNote]) throws(Refusal) {
    var rest = notes[...]
    while let first = rest.first {
      let chord = rest.prefix { $0.startSeconds - first.startSeconds < Self.chordSeconds + 1e-9 }
      rest = rest.dropFirst(chord.count)
      guard chord.count <= Self.voiceLimit else {
        throw Refusal(
          "\(chord.count) notes begin together at \(first.startSeconds) s; at most \(Self.voiceLimit) may"
        )
      }
      let rising = chord.sorted { $0.note < $1.note }
      let singers = voices(for: chord.count, atSeconds: first.startSeconds)
      for (voice, note) in zip(singers, rising) { assign(note, to: voice) }
    }
  }

  /// Returns the voices for a chord, rising.
  private mutating func voices(for count: Int, atSeconds now: Double) -> [Int] {
    func isFree(_ voice: Int) -> Bool { voices[voice].last.map { $0.endSeconds <= now } ?? true }
    while voices.indices.count(where: isFree) < count, voices.count < Self.voiceLimit {
      voices.append([])
    }
    let free = voices.indices.filter(isFree)
    let longest = voices.indices.filter { !isFree($0) }
      .sorted { (voices[$0].last!.startSeconds, $0) < (voices[$1].last!.startSeconds, $1) }
    return (free + longest).prefix(count).sorted()
  }

  private mutating func assign(_ note: HeldNote, to voice: Int) {
    if let last = voices[voice].indices.last {
      let end = min(voices[voice][last].endSeconds, note.startSeconds)
      voices[voice][last].endSeconds = end
      voices[voice][last].bends.removeAll { $0.atSeconds >= end }
    }
    voices[voice].append(note)
  }
}
