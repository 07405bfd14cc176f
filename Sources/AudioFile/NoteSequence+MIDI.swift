import Harmonizer

extension MIDIFile {
  /// A sequence as a file: tempi, time signatures, notes and pedal, once through.
  ///
  /// Times are rounded to ticks, tempi to a millionth of a second a quarter note. Files know neither
  /// swing nor loops: notes are where swing puts them, and the loop is played once.
  ///
  /// - Parameters:
  ///   - format: with one track, or the notes on a track beside that of the tempi.
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
    var notes: [TimedEvent] = []
    for event in sequence.events {
      let at = tick(sequence.tempo.beats(atSeconds: event.atSeconds))
      notes.append(TimedEvent(at, Event(event.action)))
    }
    // Sorting keeps the order of equals: notes rounded to one tick stay in their order.
    func track(_ events: [TimedEvent]) -> Track { Track(events.sorted { $0.tick < $1.tick }) }
    self.init(
      format: format, division: .ticksPerQuarter(ticksPerQuarter),
      tracks: format == .singleTrack ? [track(time + notes)] : [track(time), track(notes)])
  }
}

extension NoteSequence {
  /// What a file plays: keys, velocities, sustain pedals, tempi and time signatures of all tracks.
  ///
  /// Channels and tracks become one. A file timed in frames of film is 120 beats a minute. What is
  /// held when the file ends is released there; a tempo out of range is cut to it.
  public init(_ file: MIDIFile) throws(SequenceError) {
    self.init(tempo: try TempoMap(beatsPerMinute: 120))
    var tempi: [Double: Double] = [0: 120]
    var meters: [Double: TimeSignature] = [0: .common]
    let events = file.tracks.enumerated().flatMap { index, track in
      track.events.map { (beats: file.beats(atTick: $0.tick), track: index, event: $0.event) }
    }
    // By instant, then by track, then as written; a file's last word on a tempo counts.
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
    for event in events.sorted(by: { ($0.beats, $0.track) < ($1.beats, $1.track) }) {
      hands.take(event.event, track: event.track, atBeats: event.beats)
    }
    (notes, pedal) = hands.lift(atBeats: end)
    try validate()
  }
}

/// What is down while a file is read.
private struct Hands {
  private struct Finger: Hashable {
    var place: Int  // of track and channel
    var key: Int
  }

  private var down: [Finger: [(index: Int, atBeats: Double)]] = [:]
  private var pedalDown: [Int: Double] = [:]
  private var notes: [NoteSequence.Note] = []
  private var pedal: [NoteSequence.Pedal] = []

  mutating func take(_ event: MIDIFile.Event, track: Int, atBeats beats: Double) {
    switch event {
    case .noteOn(let channel, let key, let velocity) where velocity > 0:
      let finger = Finger(place: 16 * track + channel, key: key)
      down[finger, default: []].append((notes.count, beats))
      notes.append(
        .init(
          atBeats: beats, press: [NoteNumber(Double(key))], forBeats: 0, velocity: velocity))
    case .noteOn(let channel, let key, _), .noteOff(let channel, let key, _):
      let finger = Finger(place: 16 * track + channel, key: key)
      // The first that was pressed is the first to be released.
      if down[finger]?.isEmpty == false { end(down[finger]!.removeFirst(), beats) }
    case .controller(let channel, number: 64, let value):
      let place = 16 * track + channel
      if value >= 64 {
        if pedalDown[place] == nil { pedalDown[place] = beats }
      } else if let since = pedalDown.removeValue(forKey: place) {
        pedal.append(.init(fromBeats: since, toBeats: beats))
      }
    default: break
    }
  }

  private mutating func end(_ press: (index: Int, atBeats: Double), _ beats: Double) {
    notes[press.index].forBeats = beats - press.atBeats
  }

  /// Lets go of all that is down; the notes, those of one instant, length and strength together.
  mutating func lift(
    atBeats beats: Double
  ) -> (notes: [NoteSequence.Note], pedal: [NoteSequence.Pedal]) {
    for press in down.values.joined() { end(press, beats) }
    for since in pedalDown.values { pedal.append(.init(fromBeats: since, toBeats: beats)) }
    var chords: [NoteSequence.Note] = []
    for note in notes {
      let same = chords.indices.reversed().lazy.prefix { chords[$0].atBeats == note.atBeats }
        .first { chords[$0].forBeats == note.forBeats && chords[$0].velocity == note.velocity }
      if let same {
        chords[same].press += note.press
      } else {
        chords.append(note)
      }
    }
    return (chords, pedal.sorted { $0.fromBeats < $1.fromBeats })
  }
}

extension MIDIFile.Event {
  fileprivate init(_ action: NoteEvent.Action) {
    switch action {
    case .press(let key, let velocity): self = .noteOn(channel: 0, key: key, velocity: velocity)
    case .release(let key): self = .noteOff(channel: 0, key: key, velocity: 64)
    case .pedal(let isDown): self = .controller(channel: 0, number: 64, value: isDown ? 127 : 0)
    }
  }

  /// With 24 clocks to the quarter note and a click on each count.
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
  /// From a time signature event; `nil` for one that is none.
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
