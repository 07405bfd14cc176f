import AudioFile
import Music

/// A change of a key, a pedal or a pitch wheel. Every form with notes becomes such events, and a
/// subject with a MIDI input receives them.
public struct ScoreEvent: Codable, Equatable, Sendable {
  public enum Action: Codable, Equatable, Sendable {
    /// The press of a key.
    ///
    /// - Parameter velocity: 1 to 127; `nil` is 127.
    case press(note: NoteNumber, velocity: Int? = nil)
    case release(note: NoteNumber)
    /// A move of the sustain pedal.
    case pedal(isDown: Bool)
    /// The bend of all notes of the channel from now on.
    case bend(semitones: Double)
  }

  public var atSeconds: Double
  /// The channel, which has keys, a pedal and a bend of its own.
  public var channel: Int
  public var action: Action

  public init(atSeconds: Double, channel: Int = 0, _ action: Action) {
    (self.atSeconds, self.channel, self.action) = (atSeconds, channel, action)
  }

  /// Returns the keys, sustain pedals and bends of a MIDI file. Each track has 16 channels. Keys and
  /// pedals that are down at the end of the file are released there. `MIDIFile.played` lists what is
  /// left out.
  public static func events(of file: MIDIFile) -> [ScoreEvent] {
    let events = file.played().moments.map { moment in
      let action: Action =
        switch moment.event {
        case .press(let key, let velocity):
          .press(note: NoteNumber(Double(key)), velocity: velocity)
        case .release(let key): .release(note: NoteNumber(Double(key)))
        case .pedal(let isDown): .pedal(isDown: isDown)
        case .bend(let semitones): .bend(semitones: semitones)
        }
      return ScoreEvent(
        atSeconds: moment.atSeconds, channel: 16 * moment.track + moment.channel, action)
    }
    return events + closing(events, atSeconds: file.durationSeconds)
  }

  /// Returns releases of every key and pedal that `events` leave down.
  private static func closing(_ events: [ScoreEvent], atSeconds end: Double) -> [ScoreEvent] {
    var open: [ScoreEvent] = []
    for event in events {
      switch event.action {
      case .press(let note, _):
        open.append(ScoreEvent(atSeconds: end, channel: event.channel, .release(note: note)))
      case .pedal(isDown: true):
        open.append(ScoreEvent(atSeconds: end, channel: event.channel, .pedal(isDown: false)))
      case .release, .pedal:
        let closes = ScoreEvent(atSeconds: end, channel: event.channel, event.action)
        if let index = open.firstIndex(of: closes) { open.remove(at: index) }
      case .bend: break
      }
    }
    return open
  }
}

extension Score {
  /// The keys and pedals of a form with notes, in order of time; empty for a form that follows the
  /// lead.
  public var events: [ScoreEvent] {
    switch form {
    case .intervals, .degrees, .map, .tuned: []
    case .chords(let changes, let lowest): Self.events(of: changes, from: lowest)
    case .progression(let timed, let lowest): Self.events(of: timed.changes, from: lowest)
    case .pads(let pads, let pedal, let lowest): Self.events(of: pads, pedal, from: lowest)
    case .notes(let actions): actions.flatMap(Self.events)
    case .sequence(let sequence): Self.events(of: sequence)
    case .midi(_, let events): events
    }
  }

  private static func events(of changes: [ChordChange], from lowest: NoteNumber) -> [ScoreEvent] {
    var (events, sounding): ([ScoreEvent], [NoteNumber]) = ([], [])
    for change in changes {
      let notes = change.chord?.noteNumbers(from: lowest) ?? []
      events += sounding.map { ScoreEvent(atSeconds: change.atSeconds, .release(note: $0)) }
      events += notes.map { ScoreEvent(atSeconds: change.atSeconds, .press(note: $0)) }
      sounding = notes
    }
    return events
  }

  private static func events(
    of pads: [PadPress], _ pedal: [PedalPress], from lowest: NoteNumber
  ) -> [ScoreEvent] {
    var events: [ScoreEvent] = []
    for pad in pads {
      let rising = pad.chord.noteNumbers(from: lowest)
      let notes = pad.strum == .down ? rising.reversed() : rising
      let gap = (pad.strumMs ?? 0) / 1000 / Double(max(1, notes.count - 1))
      for (index, note) in notes.enumerated() {
        let delay = gap * Double(index)
        events.append(ScoreEvent(atSeconds: pad.atSeconds + delay, .press(note: note)))
      }
      let end = pad.atSeconds + pad.forSeconds
      events += notes.map { ScoreEvent(atSeconds: end, .release(note: $0)) }
    }
    for press in NoteSequence.joined(pedal.map { ($0.fromSeconds, $0.toSeconds) }) {
      events.append(ScoreEvent(atSeconds: press.from, .pedal(isDown: true)))
      events.append(ScoreEvent(atSeconds: press.to, .pedal(isDown: false)))
    }
    // Sorting keeps the order of equals: releases before presses, keys before the pedal.
    return events.sorted { $0.atSeconds < $1.atSeconds }
  }

  /// A bend is that of a channel, so each bent note has a channel of its own; the pedal is that of all.
  private static func events(of sequence: NoteSequence) -> [ScoreEvent] {
    let spans = sequence.spans
    // MIDI has 16 channels in a port. The first of each belongs to notes without a bend.
    let count = spans.count { !$0.bends.isEmpty }
    let bent = count + max(0, count - 1) / 15
    var events: [(rank: Int, event: ScoreEvent)] = []
    var channel = 0
    for span in spans {
      if !span.bends.isEmpty { channel += channel % 16 == 15 ? 2 : 1 }
      let channels = span.key == nil ? 0...bent : span.bends.isEmpty ? 0...0 : channel...channel
      for played in NoteSequence.events(of: [span]) {
        let action: ScoreEvent.Action
        switch played.action {
        case .press(let key, let velocity):
          action = .press(note: NoteNumber(Double(key)), velocity: velocity)
        case .release(let key): action = .release(note: NoteNumber(Double(key)))
        case .pedal(let isDown): action = .pedal(isDown: isDown)
        case .bend(_, let semitones): action = .bend(semitones: semitones)
        case .releaseAll, .latch: continue
        }
        events += channels.map {
          (played.action.rank, ScoreEvent(atSeconds: played.atSeconds, channel: $0, action))
        }
      }
    }
    return events.sorted { ($0.event.atSeconds, $0.rank) < ($1.event.atSeconds, $1.rank) }
      .map(\.event)
  }

  private static func events(of action: NoteAction) -> [ScoreEvent] {
    func event(_ what: ScoreEvent.Action) -> ScoreEvent {
      ScoreEvent(atSeconds: action.atSeconds, what)
    }
    return (action.release ?? []).map { event(.release(note: $0)) }
      + (action.press ?? []).map { event(.press(note: $0)) }
      + (action.pedal.map { [event(.pedal(isDown: $0 == .down))] } ?? [])
  }
}

extension Chord {
  fileprivate func noteNumbers(from lowest: NoteNumber) -> [NoteNumber] {
    notes(from: Int(lowest.semitones)).map { NoteNumber(Double($0)) }
  }
}
