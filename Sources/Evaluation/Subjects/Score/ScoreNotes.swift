import Harmonizer
import Music

/// Sets each voice's notes at the times of a score.
///
/// `VoiceAllocation` has assigned the notes to voices before. The harmonizer tracks the lead itself.
struct ScoreNotes: Sendable {
  private struct Change {
    var sample: Int
    var voice: Int
    var action: Action
  }

  private enum Action {
    case note(Double, velocity: Int)
    case silence
    case bend(semitones: Double)
  }

  /// Changes in order of time.
  private let changes: [Change]
  private var place = 0

  /// Reads the notes of a score; returns `nil` for a score that follows the lead.
  init?(_ score: ResolvedScore, sampleRateHz: Double) {
    guard !score.followsLead else { return nil }
    func sample(_ seconds: Double) -> Int { Int((seconds * sampleRateHz).rounded(.up)) }
    var changes: [Change] = []
    for (voice, segments) in score.voices.enumerated() {
      for (index, segment) in segments.enumerated() {
        guard case .note(let note) = segment.target else { continue }
        func add(_ seconds: Double, _ action: Action) {
          changes.append(Change(sample: sample(seconds), voice: voice, action: action))
        }
        let first = segment.bends.semitones(atSeconds: segment.startSeconds)
        add(segment.startSeconds, .bend(semitones: first))
        add(segment.startSeconds, .note(note.semitones, velocity: segment.velocity))
        for bend in segment.bends where bend.atSeconds > segment.startSeconds {
          add(bend.atSeconds, .bend(semitones: bend.semitones))
        }
        let goesOn =
          index + 1 < segments.count && segments[index + 1].startSeconds <= segment.endSeconds
        guard !goesOn, segment.endSeconds.isFinite else { continue }
        add(segment.endSeconds, .silence)
      }
    }
    // The sort is stable.
    self.changes = changes.sorted { $0.sample < $1.sample }
  }

  /// Applies the changes up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    while place < changes.count, changes[place].sample <= startSample {
      let voice = changes[place].voice
      switch changes[place].action {
      case .note(let note, let velocity):
        harmonizer.setNote(note, velocity: velocity, ofVoice: voice)
      case .silence: harmonizer.setNote(nil, ofVoice: voice)
      case .bend(let semitones): harmonizer.setBend(semitones: semitones, ofVoice: voice)
      }
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}
