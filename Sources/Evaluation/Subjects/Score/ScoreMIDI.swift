import AudioFile
import Music

extension MIDIFile {
  /// Creates a MIDI file from keys, pedals and bends, with a resolution of 0.1 ms.
  ///
  /// Fractional keys are rounded. A press without a velocity gets 100. Channels beyond 16 get further
  /// tracks. If notes are bent by more than 2 semitones, registered parameter 0 sets the bend range
  /// first.
  package init(playing events: [ScoreEvent]) {
    let ticksPerSecond = Self.scoreTicksPerSecond
    let range = Self.bendRange(of: events)
    var tracks: [Int: [TimedEvent]] = [:]
    for channel in Set(events.map(\.channel)).sorted() where range > 2 {
      tracks[channel / 16, default: [TimedEvent(0, .tempo(microsecondsPerQuarter: 500_000))]] +=
        Event.bendRange(semitones: range, channel: channel % 16).map { TimedEvent(0, $0) }
    }
    for event in events {
      let (track, channel) = (event.channel / 16, event.channel % 16)
      let tick = Int((event.atSeconds * ticksPerSecond).rounded())
      let message: Event =
        switch event.action {
        case .press(let note, let velocity):
          .noteOn(channel: channel, key: Self.key(of: note), velocity: velocity ?? 100)
        case .release(let note):
          .noteOff(channel: channel, key: Self.key(of: note), velocity: 64)
        case .pedal(let isDown):
          .controller(channel: channel, number: 64, value: isDown ? 127 : 0)
        case .bend(let semitones):
          .pitchBend(
            channel: channel,
            value: 8192
              + Int(min(max((semitones / Double(range) * 8192).rounded(), -8192), 8191)))
        }
      tracks[track, default: [TimedEvent(0, .tempo(microsecondsPerQuarter: 500_000))]]
        .append(TimedEvent(tick, message))
    }
    self.init(
      division: .ticksPerQuarter(5000),
      tracks: tracks.sorted { $0.key < $1.key }.map { Track($0.value) })
  }

  /// Ticks of a second: 5000 to a quarter note of half a second.
  static let scoreTicksPerSecond = 10_000.0

  /// Returns the bend range in whole semitones, at least 2.
  private static func bendRange(of events: [ScoreEvent]) -> Int {
    let most = events.map { event in
      if case .bend(let semitones) = event.action { abs(semitones) } else { 0.0 }
    }
    return min(max(2, Int((most.max() ?? 0).rounded(.up))), 127)
  }

  private static func key(of note: NoteNumber) -> Int {
    min(127, max(0, Int(note.semitones.rounded())))
  }
}
