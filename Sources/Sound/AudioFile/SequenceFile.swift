import Music

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
    // In order of time, then by track, then in file order; the last tempo at one time counts.
    for event in file.timeline {
      let beats = file.beats(atTick: event.tick)
      switch event.event {
      case .tempo(let length) where file.isInQuarters:
        let tempo = 60_000_000 / Double(length)
        tempi[beats] = min(max(tempo, TempoMap.tempi.lowerBound), TempoMap.tempi.upperBound)
      case .meta(type: 0x58, let data):
        if let signature = TimeSignature(data) { meters[beats] = signature }
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
    case .ticksPerFrame: TickClock(of: self).seconds(atTick: tick) * 2
    }
  }
}
