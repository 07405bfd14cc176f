import Harmonizer

/// Tells each voice of a choir its notes as a score has them, by the clock.
///
/// Which voice sings which note is settled before: see `VoiceAllocation`. The lead's pitch is the
/// harmonizer's business.
struct ScoreNotes: Sendable {
  private struct Change {
    var sample: Int
    var voice: Int
    /// `nil` is silence.
    var note: Double?
  }

  /// In order of time.
  private let changes: [Change]
  private var place = 0

  /// `nil` for a score that names no notes.
  init?(_ score: ResolvedScore, sampleRateHz: Double) {
    guard !score.followsLead else { return nil }
    func sample(_ seconds: Double) -> Int { Int((seconds * sampleRateHz).rounded(.up)) }
    var changes: [Change] = []
    for (voice, segments) in score.voices.enumerated() {
      for (index, segment) in segments.enumerated() {
        guard case .note(let note) = segment.target else { continue }
        changes.append(
          Change(sample: sample(segment.startSeconds), voice: voice, note: note.semitones))
        let goesOn =
          index + 1 < segments.count && segments[index + 1].startSeconds <= segment.endSeconds
        guard !goesOn, segment.endSeconds.isFinite else { continue }
        changes.append(Change(sample: sample(segment.endSeconds), voice: voice, note: nil))
      }
    }
    // Sorting keeps the order of equals.
    self.changes = changes.sorted { $0.sample < $1.sample }
  }

  /// Tells what has changed up to the block that begins at `startSample`. Blocks come in order.
  mutating func tell(_ harmonizer: inout Harmonizer, startSample: Int) {
    while place < changes.count, changes[place].sample <= startSample {
      harmonizer.setNote(changes[place].note, ofVoice: changes[place].voice)
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}
