import AudioFile
import Harmonizer

extension MIDIFile {
  /// Keys and pedals as a player would send them, to a tenth of a millisecond. Fractions of keys,
  /// which no keyboard has, go to the nearest; channels beyond 16 get tracks of their own.
  init(playing events: [ScoreEvent]) {
    let ticksPerSecond = 10_000.0  // 5000 to a quarter note of half a second
    var tracks: [Int: [TimedEvent]] = [:]
    for event in events {
      let (track, channel) = (event.channel / 16, event.channel % 16)
      let tick = Int((event.atSeconds * ticksPerSecond).rounded())
      let message: Event =
        switch event.action {
        case .press(let note):
          .noteOn(channel: channel, key: Self.key(of: note), velocity: 100)
        case .release(let note):
          .noteOff(channel: channel, key: Self.key(of: note), velocity: 64)
        case .pedal(let isDown):
          .controller(channel: channel, number: 64, value: isDown ? 127 : 0)
        }
      tracks[track, default: [TimedEvent(0, .tempo(microsecondsPerQuarter: 500_000))]]
        .append(TimedEvent(tick, message))
    }
    self.init(
      division: .ticksPerQuarter(5000),
      tracks: tracks.sorted { $0.key < $1.key }.map { Track($0.value) })
  }

  private static func key(of note: NoteNumber) -> Int {
    min(127, max(0, Int(note.semitones.rounded())))
  }
}

extension Score {
  /// The notes of a score that presses them at one time and holds them; nil where notes come and go.
  var heldNotes: [NoteNumber]? {
    var held: [NoteNumber] = []
    var at: Double?
    for event in events {
      switch event.action {
      case .press(let note):
        guard at == nil || at == event.atSeconds else { return nil }
        at = event.atSeconds
        held.append(note)
      case .release, .pedal: return nil
      }
    }
    return held.isEmpty ? nil : held
  }
}
