import Music

extension NoteEvent {
  /// The events of a score as one keyboard has them: all channels together, a channel's bend on each of
  /// the keys that it pressed last. Fractions of keys, which no keyboard has, go to the nearest.
  static func onOneKeyboard(_ events: [ScoreEvent]) -> [NoteEvent] {
    /// By channel, in semitones.
    var bends: [Int: Double] = [:]
    /// By key, the channel that pressed it last.
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
