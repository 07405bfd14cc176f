import Harmonizer

/// Plays a choir the keys and pedals of a score, by the clock. Which voice sings which note is the
/// harmonizer's business; the channels of a MIDI file are one keyboard to it.
struct ScoreKeys: Sendable {
  private let events: [(sample: Int, action: ScoreEvent.Action)]
  private let latches: Bool
  private var place = 0

  init(_ score: Score, latches: Bool, sampleRateHz: Double) {
    events = score.events.map {
      (Int(($0.atSeconds * sampleRateHz).rounded(.up)), $0.action)
    }
    self.latches = latches
  }

  /// Plays what happens up to the block that begins at `startSample`. Blocks come in order.
  mutating func play(on harmonizer: inout Harmonizer, startSample: Int) {
    if startSample == 0 { harmonizer.setLatch(isOn: latches) }
    while place < events.count, events[place].sample <= startSample {
      // Fractions of keys, which no keyboard has, go to the nearest.
      switch events[place].action {
      case .press(let note): harmonizer.press(Int(note.semitones.rounded()))
      case .release(let note): harmonizer.release(Int(note.semitones.rounded()))
      case .pedal(let isDown): harmonizer.setPedal(isDown: isDown)
      }
      place += 1
    }
  }

  mutating func rewind() { place = 0 }
}
