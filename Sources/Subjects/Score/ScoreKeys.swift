import Harmonizer
import Music

/// Plays a choir the keys, pedals and bends of a score, by the clock. Which voice sings which note is the
/// harmonizer's business; the channels of a MIDI file are one keyboard to it.
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

  /// Plays what happens up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    if startSample == 0 { harmonizer.setLatch(isOn: latches) }
    while place < events.count, events[place].sample <= startSample {
      harmonizer.perform(events[place].action)
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}
