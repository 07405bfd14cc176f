import Music

/// A note from its press to its end, which is the release or, with the pedal down, the pedal's.
struct HeldNote: Equatable, Sendable {
  var note: NoteNumber
  var startSeconds: Double
  /// Infinite where nothing ends it.
  var endSeconds = Double.infinity
  /// Of its press, 1 to 127.
  var velocity = 127
  /// From its start on, where it is bent at all.
  var bends: [PitchBend] = []

  /// What sounds when these events happen, in order of beginning, lower notes first.
  ///
  /// A key that is pressed while its note sounds strikes it anew; it is released when it was
  /// released as often as it was pressed. Notes of no length are left out.
  static func held(by events: [ScoreEvent]) -> [HeldNote] {
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
  /// How often each key was pressed and not released.
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
