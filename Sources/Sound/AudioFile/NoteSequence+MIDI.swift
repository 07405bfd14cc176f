import Music

extension MIDIFile {
  /// Converts a sequence to a file with tempi, time signatures, notes, bends and pedal.
  ///
  /// Bent notes each have a channel of their own, since a wheel bends a whole channel; all others
  /// are on the first channel.
  ///
  /// Times are rounded to ticks, tempi to a microsecond per quarter note. Files have no swing:
  /// notes are placed with swing applied.
  ///
  /// - Parameters:
  ///   - format: one track, or separate tracks for tempi and notes.
  ///   - ticksPerQuarter: 1 to 32,767.
  public init(
    _ sequence: NoteSequence, format: Format = .tracksTogether, ticksPerQuarter: Int = 960
  ) throws(SequenceError) {
    try sequence.validate()
    func tick(_ beats: Double) -> Int { Int((beats * Double(ticksPerQuarter)).rounded()) }
    var time: [TimedEvent] = sequence.timeSignature.changes.map {
      TimedEvent(tick($0.atBeats), .timeSignature($0.timeSignature))
    }
    time += sequence.tempo.changes.map {
      let length = Int((60_000_000 / $0.beatsPerMinute).rounded())
      return TimedEvent(tick($0.atBeats), .tempo(microsecondsPerQuarter: min(length, 0xFF_FFFF)))
    }
    func tick(atSeconds seconds: Double) -> Int { tick(sequence.tempo.beats(atSeconds: seconds)) }
    let bent = try BentNotes(of: sequence)
    var plain = sequence
    plain.notes.removeAll { $0.bends != nil }
    var notes = bent.settings.map { TimedEvent(0, $0) }
    for event in plain.events {
      let at = tick(atSeconds: event.atSeconds)
      switch event.action {
      case .press(let key, let velocity):
        notes.append(TimedEvent(at, .noteOn(channel: 0, key: key, velocity: velocity)))
      case .release(let key):
        notes.append(TimedEvent(at, .noteOff(channel: 0, key: key, velocity: 64)))
      case .pedal(let isDown):
        for channel in [0] + bent.channels {
          notes.append(
            TimedEvent(at, .controller(channel: channel, number: 64, value: isDown ? 127 : 0)))
        }
      // Bent notes are handled separately; a sequence has no other actions.
      case .bend, .releaseAll, .latch: break
      }
    }
    notes += bent.events.map { TimedEvent(tick(atSeconds: $0.seconds), $0.event) }
    // Sorting is stable: notes rounded to one tick keep their order.
    func track(_ events: [TimedEvent]) -> Track { Track(events.sorted { $0.tick < $1.tick }) }
    self.init(
      format: format, division: .ticksPerQuarter(ticksPerQuarter),
      tracks: format == .singleTrack ? [track(time + notes)] : [track(time), track(notes)])
  }
}

extension NoteSequence {
  /// Converts the playable content of a file: keys, velocities, bends, sustain pedals, tempi and
  /// time signatures of all tracks. `MIDIFile.played` lists the rest.
  ///
  /// Channels and tracks are merged. A file timed in film frames is read at 120 beats a minute.
  /// Keys and pedals that are down at the file's end are released there. Tempi are limited to the
  /// allowed range.
  public init(_ file: MIDIFile) throws(SequenceError) {
    self.init(tempo: try TempoMap(beatsPerMinute: 120))
    var tempi: [Double: Double] = [0: 120]
    var meters: [Double: TimeSignature] = [0: .common]
    let events = file.tracks.enumerated().flatMap { index, track in
      track.events.map { (beats: file.beats(atTick: $0.tick), track: index, event: $0.event) }
    }
    // In order of time, then by track, then in file order; the last tempo at one time counts.
    for event in events.sorted(by: { ($0.beats, $0.track) < ($1.beats, $1.track) }) {
      switch event.event {
      case .tempo(let length) where file.isInQuarters:
        let tempo = 60_000_000 / Double(length)
        tempi[event.beats] = min(max(tempo, TempoMap.tempi.lowerBound), TempoMap.tempi.upperBound)
      case .meta(type: 0x58, let data):
        if let signature = TimeSignature(data) { meters[event.beats] = signature }
      default: break
      }
    }
    tempo = try TempoMap(
      tempi.sorted { $0.key < $1.key }.map { .init(atBeats: $0.key, beatsPerMinute: $0.value) })
    timeSignature = try MeterMap(meters.sorted { $0.key < $1.key }.map { .init(atBeats: $0, $1) })
    let end = file.tracks.map { file.beats(atTick: $0.endTick) }.max() ?? 0
    var hands = Hands()
    for moment in file.played().moments {
      let place = 16 * moment.track + moment.channel
      hands.process(moment.event, place: place, atBeats: file.beats(atTick: moment.tick))
    }
    (notes, pedal) = hands.lift(atBeats: end)
    try validate()
  }
}

/// The keys and pedals that are down while a file is read.
private struct Hands {
  private struct Finger: Hashable {
    var place: Int  // index of track and channel
    var key: Int
  }

  private var down: [Finger: [(index: Int, atBeats: Double)]] = [:]
  /// Notes released while the pedal was down, which still sound.
  private var held: [Finger: Int] = [:]
  private var bends: [Int: Double] = [:]  // by place, semitones
  private var pedalDown: [Int: Double] = [:]
  private var notes: [NoteSequence.Note] = []
  private var pedal: [NoteSequence.Pedal] = []

  mutating func process(_ event: MIDIFile.PlayedEvent, place: Int, atBeats beats: Double) {
    switch event {
    case .press(let key, let velocity):
      let finger = Finger(place: place, key: key)
      held[finger] = nil
      down[finger, default: []].append((notes.count, beats))
      notes.append(
        .init(
          atBeats: beats, press: [NoteNumber(Double(key))], forBeats: 0, velocity: velocity))
      if let bend = bends[place], bend != 0 { self.bend(notes.count - 1, beats, bend) }
    case .release(let key):
      let finger = Finger(place: place, key: key)
      guard down[finger]?.isEmpty == false else { return }
      // Presses of one key are released in order.
      let press = down[finger]!.removeFirst()
      end(press, beats)
      if pedalDown[place] != nil { held[finger] = press.index }
    case .pedal(isDown: true): if pedalDown[place] == nil { pedalDown[place] = beats }
    case .pedal(isDown: false):
      if let since = pedalDown.removeValue(forKey: place) {
        pedal.append(.init(fromBeats: since, toBeats: beats))
      }
      held = held.filter { $0.key.place != place }
    case .bend(let semitones):
      bends[place] = semitones
      for (finger, presses) in down where finger.place == place {
        for press in presses { bend(press.index, beats, semitones) }
      }
      for (finger, index) in held where finger.place == place { bend(index, beats, semitones) }
    }
  }

  /// Adds a bend; the last of several at one time counts.
  private mutating func bend(_ index: Int, _ beats: Double, _ semitones: Double) {
    var list = notes[index].bends ?? []
    if list.last?.atBeats == beats { list.removeLast() }
    list.append(.init(atBeats: beats, semitones: semitones))
    notes[index].bends = list
  }

  private mutating func end(_ press: (index: Int, atBeats: Double), _ beats: Double) {
    notes[press.index].forBeats = beats - press.atBeats
  }

  /// Releases everything and returns the notes; those of equal time, length, velocity and bend are
  /// joined.
  mutating func lift(
    atBeats beats: Double
  ) -> (notes: [NoteSequence.Note], pedal: [NoteSequence.Pedal]) {
    for press in down.values.joined() { end(press, beats) }
    for since in pedalDown.values { pedal.append(.init(fromBeats: since, toBeats: beats)) }
    var chords: [NoteSequence.Note] = []
    for note in notes {
      let same = chords.indices.reversed().lazy.prefix { chords[$0].atBeats == note.atBeats }
        .first {
          chords[$0].forBeats == note.forBeats && chords[$0].velocity == note.velocity
            && chords[$0].bends == note.bends
        }
      if let same {
        chords[same].press += note.press
      } else {
        chords.append(note)
      }
    }
    // A pedal that applies to several channels is written on each; keep it once.
    var pedals: [NoteSequence.Pedal] = []
    for press in pedal.sorted(by: { $0.fromBeats < $1.fromBeats }) where !pedals.contains(press) {
      pedals.append(press)
    }
    return (chords, pedals)
  }
}

/// Assigns each bent note a channel on which no other note sounds meanwhile.
private struct BentNotes {
  /// Channels 2 to 16 without 10, which is for drums.
  private static let free = (1...15).filter { $0 != 9 }

  private(set) var channels: [Int] = []
  private(set) var events: [(seconds: Double, event: MIDIFile.Event)] = []
  private let rangeSemitones: Int

  init(of sequence: NoteSequence) throws(SequenceError) {
    let bent = sequence.notes.filter { $0.bends != nil }.sorted { $0.atBeats < $1.atBeats }
    let most = bent.flatMap { $0.bends ?? [] }.map { abs($0.semitones) }.max() ?? 0
    rangeSemitones = max(2, Int(most.rounded(.up)))
    var (released, silent): ([Int: Double], [Int: Double]) = ([:], [:])
    for note in bent {
      let start = sequence.seconds(atBeats: note.atBeats)
      let end = sequence.seconds(atBeats: note.atBeats + note.forBeats)
      let lastBend = note.bends?.last.map { sequence.seconds(atBeats: $0.atBeats) } ?? 0
      for key in note.press {
        let free = Self.free.filter { released[$0, default: -1] <= start }
        // Prefer a channel without notes that the pedal still holds.
        guard let channel = free.min(by: { silent[$0, default: -1] < silent[$1, default: -1] })
        else { throw .tooManyBends(atBeats: note.atBeats, limit: Self.free.count) }
        released[channel] = end
        silent[channel] = max(Self.soundingEnd(end, sequence), lastBend)
        if !channels.contains(channel) { channels.append(channel) }
        add(note, Int(key.semitones), channel, from: start, to: end, sequence)
      }
    }
    // Sorting is stable.
    events.sort { $0.seconds < $1.seconds }
  }

  /// The time at which a released note ends: that of the pedal's release if it is down.
  private static func soundingEnd(_ end: Double, _ sequence: NoteSequence) -> Double {
    let holding = sequence.pedal.first {
      sequence.seconds(atBeats: $0.fromBeats) <= end && end < sequence.seconds(atBeats: $0.toBeats)
    }
    return holding.map { sequence.seconds(atBeats: $0.toBeats) } ?? end
  }

  private mutating func add(
    _ note: NoteSequence.Note, _ key: Int, _ channel: Int, from start: Double, to end: Double,
    _ sequence: NoteSequence
  ) {
    let bends = note.bends ?? []
    let first = bends.last { $0.atBeats <= note.atBeats }?.semitones ?? 0
    events.append((start, wheel(channel, first)))
    events.append((start, .noteOn(channel: channel, key: key, velocity: note.velocity ?? 127)))
    for bend in bends where bend.atBeats > note.atBeats {
      events.append((sequence.seconds(atBeats: bend.atBeats), wheel(channel, bend.semitones)))
    }
    events.append((end, .noteOff(channel: channel, key: key, velocity: 64)))
  }

  private func wheel(_ channel: Int, _ semitones: Double) -> MIDIFile.Event {
    let value = (semitones / Double(rangeSemitones) * 8192).rounded()
    return .pitchBend(channel: channel, value: Int(min(max(value, -8192), 8191)) + 8192)
  }

  /// Events that set the range of the wheels.
  var settings: [MIDIFile.Event] {
    channels.flatMap { MIDIFile.Event.bendRange(semitones: rangeSemitones, channel: $0) }
  }
}

extension MIDIFile.Event {
  /// Sets registered parameter 0, then deselects it.
  public static func bendRange(semitones: Int, channel: Int) -> [MIDIFile.Event] {
    [(101, 0), (100, 0), (6, semitones), (38, 0), (101, 127), (100, 127)].map {
      .controller(channel: channel, number: $0, value: $1)
    }
  }

  /// A time signature event with 24 clocks per quarter note and a click on each count.
  fileprivate static func timeSignature(_ signature: TimeSignature) -> Self {
    .meta(
      type: 0x58,
      data: [
        UInt8(signature.count), UInt8(signature.unit.trailingZeroBitCount),
        UInt8(min(96 / signature.unit, 255)), 8,
      ])
  }
}

extension TimeSignature {
  /// Creates the signature of an event's data; `nil` if the data are invalid.
  fileprivate init?(_ data: [UInt8]) {
    guard data.count >= 2, data[1] < 6 else { return nil }
    try? self.init(Int(data[0]), 1 << Int(data[1]))
  }
}

extension MIDIFile {
  fileprivate var isInQuarters: Bool {
    if case .ticksPerQuarter = division { true } else { false }
  }

  fileprivate func beats(atTick tick: Int) -> Double {
    switch division {
    case .ticksPerQuarter(let ticks): Double(tick) / Double(ticks)
    case .ticksPerFrame: TempoMap(of: self).seconds(atTick: tick) * 2
    }
  }
}
