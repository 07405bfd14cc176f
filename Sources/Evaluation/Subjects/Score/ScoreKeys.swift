import Harmonizer
import Music

/// Plays the keys, pedals and bends of a score to a choir. The harmonizer assigns notes to voices; all
/// channels of a MIDI file are one keyboard.
struct ScoreKeys: Sendable {
  private let events: [(sample: Int, action: NoteEvent.Action)]
  private let latches: Bool
  private var place = 0

  init(_ score: Score, latches: Bool, sampleRateHz: Double) {
    events = NoteEvent.onOneKeyboard(score.events).map {
      (Int(($0.atSeconds * sampleRateHz).rounded(.up)), $0.action)
    }
    self.latches = latches
  }

  /// Plays the events up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    if startSample == 0 { harmonizer.setLatch(isOn: latches) }
    while place < events.count, events[place].sample <= startSample {
      harmonizer.perform(events[place].action)
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}

extension NoteEvent {
  /// Returns the events of a score as those of one keyboard: all channels together, with a channel's
  /// bend on each key that it pressed last. Fractional keys are rounded.
  static func onOneKeyboard(_ events: [ScoreEvent]) -> [NoteEvent] {
    /// Bends by channel, in semitones.
    var bends: [Int: Double] = [:]
    /// The channel that last pressed each key.
    var channels: [Int: Int] = [:]
    let isBent = events.contains { if case .bend = $0.action { true } else { false } }
    return events.flatMap { event -> [NoteEvent] in
      func now(_ action: Action) -> NoteEvent { NoteEvent(atSeconds: event.atSeconds, action) }
      switch event.action {
      case .press(let note, let velocity):
        let key = key(of: note)
        channels[key] = event.channel
        let bend = isBent ? [now(.bend(key: key, semitones: bends[event.channel] ?? 0))] : []
        return bend + [now(.press(key: key, velocity: velocity ?? 127))]
      case .release(let note): return [now(.release(key: key(of: note)))]
      case .pedal(let isDown): return [now(.pedal(isDown: isDown))]
      case .bend(let semitones):
        bends[event.channel] = semitones
        return channels.filter { $0.value == event.channel }.keys.sorted().map {
          now(.bend(key: $0, semitones: semitones))
        }
      }
    }
  }

  private static func key(of note: NoteNumber) -> Int { Int(note.semitones.rounded()) }
}
