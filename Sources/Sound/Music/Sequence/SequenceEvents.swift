extension NoteSequence {
  /// The events in order of time.
  public var events: [NoteEvent] { Self.events(of: spans) }

  /// Time until the last key is released and the pedal is up.
  public var durationSeconds: Double { spans.map(\.end).max() ?? 0 }

  /// A held key or pedal, in seconds.
  package struct Span {
    /// The key; `nil` is the pedal.
    package var key: Int?
    var velocity: Int
    package var start: Double
    package var end: Double
    package var bends: [Bend] = []

    package struct Bend {
      package var atSeconds: Double
      var semitones: Double
    }
  }

  /// The sequence with the repetitions of its loop written out.
  package var unrolled: NoteSequence {
    guard let loop else { return self }
    var whole = self
    whole.loop = nil
    func repeated<Item>(
      _ items: [Item], _ start: KeyPath<Item, Double>, _ move: (inout Item, Double) -> Void
    ) -> [Item] {
      items.flatMap { item in
        let at = item[keyPath: start]
        let passes =
          at < loop.fromBeats
          ? 0..<1 : at < loop.toBeats ? 0..<loop.times : loop.times - 1..<loop.times
        return passes.map { pass in
          var moved = item
          move(&moved, Double(pass) * (loop.toBeats - loop.fromBeats))
          return moved
        }
      }
    }
    whole.notes = repeated(notes, \.atBeats) { note, beats in
      note.atBeats += beats
      note.bends = note.bends?.map { Bend(atBeats: $0.atBeats + beats, semitones: $0.semitones) }
    }
    whole.pads = repeated(pads, \.atBeats) { $0.atBeats += $1 }
    whole.pedal = repeated(pedal, \.fromBeats) { press, beats in
      press.fromBeats += beats
      press.toBeats += beats
    }
    return whole
  }

  /// The spans in written order; none ends before it starts.
  package var spans: [Span] {
    if loop != nil { return unrolled.spans }
    var spans: [Span] = []
    for note in notes {
      let (start, end) = bounds(note.atBeats, note.forBeats)
      let bends = (note.bends ?? []).map {
        Span.Bend(atSeconds: max(start, seconds(atBeats: $0.atBeats)), semitones: $0.semitones)
      }
      spans += note.press.map {
        Span(
          key: Int($0.semitones), velocity: note.velocity ?? 127, start: start, end: end,
          bends: bends)
      }
    }
    for pad in pads {
      let (start, end) = bounds(pad.atBeats, pad.forBeats)
      let rising = pad.chord.notes(from: Int(lowestNote.semitones)).filter { $0 <= 127 }
      let keys = pad.strum == .down ? rising.reversed() : rising
      let gap = (pad.strumMs ?? 0) / 1000 / Double(max(1, keys.count - 1))
      for (index, key) in keys.enumerated() {
        let begin = start + gap * Double(index)
        spans.append(
          Span(key: key, velocity: pad.velocity ?? 127, start: begin, end: max(begin, end)))
      }
    }
    spans += Self.joined(
      pedal.map { (seconds(atBeats: $0.fromBeats), seconds(atBeats: $0.toBeats)) }
    ).map { Span(key: nil, velocity: 0, start: $0.from, end: $0.to) }
    return spans
  }

  /// Returns presses of the pedal in order of time. Those that overlap are one; where two touch, it
  /// rises.
  package static func joined(
    _ presses: [(from: Double, to: Double)]
  ) -> [(from: Double, to: Double)] {
    presses.sorted { $0.from < $1.from }.reduce(into: []) { joined, press in
      if let last = joined.last, press.from < last.to {
        joined[joined.count - 1].to = max(last.to, press.to)
      } else {
        joined.append(press)
      }
    }
  }

  private func bounds(_ at: Double, _ length: Double) -> (Double, Double) {
    (seconds(atBeats: at), seconds(atBeats: at + length))
  }

  /// Returns the two ends of every span in order of time. Empty spans are left out.
  package static func events(of spans: [Span]) -> [NoteEvent] {
    var events: [NoteEvent] = []
    let bentKeys = Set(spans.filter { !$0.bends.isEmpty }.compactMap(\.key))
    for span in spans where span.end > span.start {
      if let key = span.key {
        // A note without bends must not begin with the bend of the note before.
        if bentKeys.contains(key), (span.bends.first?.atSeconds ?? .infinity) > span.start {
          events.append(NoteEvent(atSeconds: span.start, .bend(key: key, semitones: 0)))
        }
        events += span.bends.map {
          NoteEvent(atSeconds: $0.atSeconds, .bend(key: key, semitones: $0.semitones))
        }
        events.append(NoteEvent(atSeconds: span.start, .press(key: key, velocity: span.velocity)))
        events.append(NoteEvent(atSeconds: span.end, .release(key: key)))
      } else {
        events.append(NoteEvent(atSeconds: span.start, .pedal(isDown: true)))
        events.append(NoteEvent(atSeconds: span.end, .pedal(isDown: false)))
      }
    }
    // Sorting keeps the order of equals.
    return events.sorted { ($0.atSeconds, $0.action.rank) < ($1.atSeconds, $1.action.rank) }
  }
}
