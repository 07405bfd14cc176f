import Music

/// A note from its press to its end: the release of its key or, with the pedal down, of the pedal.
package struct HeldNote: Equatable, Sendable {
  package var note: NoteNumber
  package var startSeconds: Double
  /// Infinity for a note without an end.
  package var endSeconds = Double.infinity
  /// Velocity of the press, 1 to 127.
  package var velocity = 127
  /// Bends from its start on; empty if the note is never bent.
  var bends: [PitchBend] = []

  /// Returns the notes that the events play, sorted by start and then by pitch.
  ///
  /// Pressing a key while its note sounds starts the note again. The key counts as released after as
  /// many releases as presses. Notes of no length are left out.
  package static func held(by events: [ScoreEvent]) -> [HeldNote] {
    var keyboards: [Int: Keyboard] = [:]
    for event in events { keyboards[event.channel, default: Keyboard()].play(event) }
    return keyboards.values.flatMap { $0.ended + $0.sounding.values }
      .filter { $0.startSeconds < $0.endSeconds }
      .sorted { ($0.startSeconds, $0.note) < ($1.startSeconds, $1.note) }
  }
}

/// The keys, the pedal and the wheel of one channel.
private struct Keyboard {
  private(set) var ended: [HeldNote] = []
  private(set) var sounding: [NoteNumber: HeldNote] = [:]
  /// Number of presses of each key that are not released yet.
  private var presses: [NoteNumber: Int] = [:]
  private var pedalIsDown = false
  private var bend = 0.0  // semitones

  mutating func play(_ event: ScoreEvent) {
    let now = event.atSeconds
    switch event.action {
    case .press(let note, let velocity):
      end(note, now)
      presses[note, default: 0] += 1
      sounding[note] = HeldNote(
        note: note, startSeconds: now, velocity: velocity ?? 127,
        bends: bend == 0 ? [] : [PitchBend(atSeconds: now, semitones: bend)])
    case .bend(let semitones):
      bend = semitones
      for note in Array(sounding.keys) {
        sounding[note]?.bends.append(PitchBend(atSeconds: now, semitones: semitones))
      }
    case .release(let note):
      let left = max(0, presses[note, default: 0] - 1)
      presses[note] = left
      if left == 0, !pedalIsDown { end(note, now) }
    case .pedal(let isDown):
      pedalIsDown = isDown
      guard !isDown else { return }
      for note in sounding.keys where presses[note] == 0 { end(note, now) }
    }
  }

  private mutating func end(_ note: NoteNumber, _ now: Double) {
    guard var held = sounding.removeValue(forKey: note) else { return }
    held.endSeconds = now
    ended.append(held)
  }
}

extension Score {
  /// The notes of a score that presses keys at one time and holds them; `nil` for any other.
  var heldNotes: [NoteNumber]? {
    var held: [NoteNumber] = []
    var at: Double?
    for event in events {
      switch event.action {
      case .press(let note, _):
        guard at == nil || at == event.atSeconds else { return nil }
        at = event.atSeconds
        held.append(note)
      case .release, .pedal, .bend: return nil
      }
    }
    return held.isEmpty ? nil : held
  }
}
