import DSP
import Foundation
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct NoteSequenceTests {
  /// A receiver that records the sample at which every event arrives.
  private struct Recorder: KeyReceiver {
    var now = 0
    var events: [(sample: Int, text: String)] = []

    @_semantics("no_performance_analysis") mutating func press(_ key: Int, velocity: Int) {
      events.append((now, "+\(key)" + (velocity == 127 ? "" : "@\(velocity)")))
    }
    @_semantics("no_performance_analysis") mutating func release(_ key: Int) {
      events.append((now, "-\(key)"))
    }
    @_semantics("no_performance_analysis") mutating func setPedal(isDown: Bool) {
      events.append((now, isDown ? "down" : "up"))
    }
    @_semantics("no_performance_analysis") mutating func setBend(
      semitones: Double, ofKey key: Int
    ) {
      events.append((now, "~\(key)@\(semitones)"))
    }
  }

  private static func play(
    _ sequence: NoteSequence, rateHz: Double, samples: Int, blocks: Int = 64
  ) throws -> [(sample: Int, text: String)] {
    var player = try SequencePlayer(sequence, sampleRateHz: rateHz)
    return play(&player, samples: samples, blocks: blocks)
  }

  private static func play(
    _ player: inout SequencePlayer, samples: Int, blocks: Int = 64
  ) -> [(sample: Int, text: String)] {
    var recorder = Recorder()
    while recorder.now < samples {
      let end = min(samples, recorder.now + blocks)
      while recorder.now < end {
        player.tell(&recorder)
        let count = player.samplesUntilNext(limit: end - recorder.now)
        player.advance(samples: count)
        recorder.now += count
      }
    }
    return recorder.events
  }

  private static func texts(_ events: [(sample: Int, text: String)]) -> [String] {
    events.map { "\($0.sample) \($0.text)" }
  }

  private static func sequence(
    _ beatsPerMinute: Double, _ change: (inout NoteSequence) throws -> Void
  ) throws -> NoteSequence {
    var sequence = NoteSequence(tempo: try TempoMap(beatsPerMinute: beatsPerMinute))
    try change(&sequence)
    return sequence
  }

  /// A note begins bent and is bent further; the next note on its key begins unbent. A beat is a
  /// second.
  @Test func bendsBelongToTheirNote() throws {
    let sequence = try Self.sequence(60) {
      $0.notes = [
        .init(
          atBeats: 0, press: [NoteNumber(60)], forBeats: 2,
          bends: [.init(atBeats: 0, semitones: -1), .init(atBeats: 0.5, semitones: 0.25)]),
        Self.key(60, at: 2, for: 1), Self.key(64, at: 2, for: 1),
      ]
    }
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 100, samples: 400)) == [
        "0 ~60@-1.0", "0 +60", "50 ~60@0.25", "200 -60", "200 ~60@0.0", "200 +60", "200 +64",
        "300 -60", "300 -64",
      ])
    #expect(
      try JSONDecoder().decode(
        NoteSequence.self, from: JSONEncoder().encode(sequence)) == sequence)
  }

  @Test func bendsAreChecked() throws {
    var note = Self.key(60, at: 0, for: 2)
    note.bends = [.init(atBeats: 1, semitones: 0), .init(atBeats: 1, semitones: 2)]
    let doubled = try Self.sequence(60) { $0.notes = [note] }
    #expect(throws: SequenceError.notRising("bend", atBeats: 1, after: 1)) {
      try doubled.validate()
    }
    note.bends = [.init(atBeats: 1, semitones: 128)]
    let far = try Self.sequence(60) { $0.notes = [note] }
    #expect(throws: SequenceError.self) { try far.validate() }
  }

  private static func key(_ key: Int, at: Double, for length: Double) -> NoteSequence.Note {
    .init(atBeats: at, press: [NoteNumber(Double(key))], forBeats: length)
  }

  /// An hour at 137 beats a minute and 44.1 kHz, written out and as a loop of one bar. Beat n is at
  /// sample 44,100 · 60 n / 137, rounded, in integers. No tie can occur, as 137 is odd.
  @Test(arguments: [false, true]) func timesStayExactForAnHour(isLooped: Bool) throws {
    let beats = 137 * 60
    let sequence = try Self.sequence(137) {
      $0.notes = (0..<(isLooped ? 4 : beats)).map { Self.key(60, at: Double($0), for: 0.5) }
      if isLooped { $0.loop = .init(fromBeats: 0, toBeats: 4) }
    }
    let events = try Self.play(
      sequence, rateHz: 44_100, samples: 44_100 * 3600, blocks: 4096)
    let presses = events.filter { $0.text == "+60" }.map(\.sample)
    #expect(presses == (0..<beats).map { (44_100 * 60 * 2 * $0 + 137) / (2 * 137) })
    // Off-beats: 44,100 · 60 (2n + 1) / 274.
    let releases = events.filter { $0.text == "-60" }.map(\.sample)
    #expect(releases == (0..<beats).map { (44_100 * 60 * (2 * $0 + 1) + 137) / 274 })
  }

  /// A tempo of 120 until beat 4, 60 until beat 6, then 240: beat 8 is after 2 + 2 + 0.5 s.
  @Test func theTempoChanges() throws {
    let tempo = try TempoMap([
      .init(atBeats: 0, beatsPerMinute: 120), .init(atBeats: 4, beatsPerMinute: 60),
      .init(atBeats: 6, beatsPerMinute: 240),
    ])
    let known = [(1.0, 0.5), (4, 2), (5, 3), (6, 4), (8, 4.5)]
    for (beats, seconds) in known {
      #expect(tempo.seconds(atBeats: beats) == seconds && tempo.beats(atSeconds: seconds) == beats)
    }
    var sequence = NoteSequence(tempo: tempo)
    sequence.notes = [Self.key(60, at: 3, for: 2), Self.key(62, at: 8, for: 1)]
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 1000, samples: 6000)) == [
        "1500 +60", "3000 -60", "4500 +62", "4750 -62",
      ])
  }

  /// Triplet swing of eighths at 120: 0, 1/3, 1/2, 5/6 s. A note from off-beat to off-beat ends
  /// swung too.
  @Test func swingDelaysOffBeats() throws {
    let sequence = try Self.sequence(120) {
      $0.swing = Swing(share: 2.0 / 3)
      $0.notes = (0..<4).map { Self.key(60 + $0, at: 0.5 * Double($0), for: 0.5) }
    }
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 6000, samples: 9000)) == [
        "0 +60", "2000 -60", "2000 +61", "3000 -61", "3000 +62", "5000 -62", "5000 +63",
        "6000 -63",
      ])
    // A share of 0.5 changes nothing, and swing keeps the order of times.
    let straight = Swing(share: 0.5)
    let swung = Swing(unitBeats: 0.25, share: 0.75)
    var before = -1.0
    for step in 0..<200 {
      let place = Double(step) / 64
      #expect(abs(straight.beats(place) - place) < 1e-12 && swung.beats(place) > before)
      before = swung.beats(place)
    }
    #expect(swung.beats(0.25) == 0.375 && swung.beats(0.5) == 0.5 && swung.beats(0.375) == 0.4375)
  }

  /// Notes that sound where the loop ends are released there; the last pass goes on as written.
  @Test func aLoopIsPlayedAgain() throws {
    let sequence = try Self.sequence(60) {
      $0.notes = [
        Self.key(50, at: 0, for: 1.5), Self.key(60, at: 1, for: 0.5), Self.key(62, at: 2, for: 2),
        Self.key(70, at: 5, for: 1),
      ]
      $0.loop = .init(fromBeats: 1, toBeats: 3, times: 3)
    }
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 1000, samples: 12_000)) == [
        "0 +50", "1000 +60", "1500 -50", "1500 -60", "2000 +62", "3000 -62",
        "3000 +60", "3500 -60", "4000 +62", "5000 -62",
        "5000 +60", "5500 -60", "6000 +62", "8000 -62", "9000 +70", "10000 -70",
      ])
  }

  @Test(arguments: [1, 7, 64, 1000]) func blocksChangeNothing(blocks: Int) throws {
    let sequence = try Self.sequence(113) {
      $0.pads = [.init(atBeats: 0.1, try Chord(named: "Am"), forBeats: 1, strumMs: 30)]
      $0.loop = .init(fromBeats: 0, toBeats: 1.7)
    }
    let once = try Self.play(sequence, rateHz: 8000, samples: 20_000, blocks: 20_000)
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 8000, samples: 20_000, blocks: blocks))
        == Self.texts(once))
  }

  /// A strum of 20 ms over three notes has 10 ms between them; `down` begins with the highest.
  @Test func padsAreStrummed() throws {
    let sequence = try Self.sequence(60) {
      $0.pads = [
        .init(
          atBeats: 1, try Chord(named: "C"), forBeats: 0.5, velocity: 90, strumMs: 20, strum: .down)
      ]
    }
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 1000, samples: 2000)) == [
        "1000 +55@90", "1010 +52@90", "1020 +48@90", "1500 -55", "1500 -52", "1500 -48",
      ])
  }

  @Test func thePedalMovesAfterTheKeys() throws {
    let sequence = try Self.sequence(60) {
      $0.notes = [Self.key(60, at: 0, for: 1), Self.key(62, at: 1, for: 1)]
      $0.pedal = [.init(fromBeats: 1, toBeats: 2)]
    }
    #expect(
      Self.texts(try Self.play(sequence, rateHz: 100, samples: 300)) == [
        "0 +60", "100 -60", "100 +62", "100 down", "200 -62", "200 up",
      ])
  }

  /// Timed events, as scores have them, are sorted by time; simultaneous ones keep their order.
  @Test func timedEventsArePlayedInOrder() throws {
    var player = SequencePlayer(
      [
        NoteEvent(atSeconds: 2, .release(key: 60)), NoteEvent(atSeconds: .nan, .release(key: 1)),
        NoteEvent(atSeconds: 0.5, .press(key: 60, velocity: 80)),
        NoteEvent(atSeconds: 0.5, .release(key: 60)),
        NoteEvent(atSeconds: 0.5, .pedal(isDown: true)),
      ], sampleRateHz: 1000)
    #expect(
      Self.texts(Self.play(&player, samples: 3000)) == [
        "500 +60@80", "500 -60", "500 down", "2000 -60",
      ])
  }

  @Test func anEmptySequenceEnds() throws {
    var player = try SequencePlayer(try Self.sequence(60) { _ in }, sampleRateHz: 48_000)
    let (isOver, rest) = (player.isOver, player.samplesUntilNext(limit: 7))
    #expect(isOver && rest == 7)
    let looped = try Self.sequence(60) { $0.loop = .init(fromBeats: 0, toBeats: 1) }
    player = try SequencePlayer(looped, sampleRateHz: 48_000)
    let loopIsOver = player.isOver
    #expect(loopIsOver)
  }

  /// An impulse every quarter beat through a sample player sounds at the exact sample.
  @Test func samplesBeginOnTheBeat() throws {
    let impulse = try Sample(
      Signal([1, 0, 0, 0], sampleRateHz: 44_100), SampleTests.plain())
    var player = try SamplePlayer(
      impulse, SamplePlayerTests.settings { $0.envelope.attackMs = 0 }, sampleRateHz: 44_100)
    let sequence = try Self.sequence(137) {
      $0.notes = (0..<100).map { Self.key(60, at: Double($0) / 4, for: 0.1) }
    }
    var sequencer = try SequencePlayer(sequence, sampleRateHz: 44_100)
    var output = [Float](repeating: 0, count: 44_100 * 12)
    var span = output.mutableSpan
    sequencer.process(&player, into: &span)
    let found = output.indices.filter { output[$0] != 0 }
    // A quarter of a beat is 44,100 · 60 / 137 / 4 = 661,500 / 137 samples.
    #expect(found == (0..<100).map { (661_500 * 2 * $0 + 137) / 274 })
  }

  /// A harmonizer that sings held keys gives the same bits in any blocks, and sounds.
  @Test func aHarmonizerIsPlayed() throws {
    var settings = Harmonizer.Settings(voices: [.init(.explicit)])
    settings.voices[0].part.role = .held
    let sequence = try Self.sequence(90) {
      $0.pads = [.init(atBeats: 0.4, try Chord(named: "A"), forBeats: 1)]
    }
    let input = SampleTests.tone(hz: 220, seconds: 1.2).samples
    func sing(blocks: Int) throws -> [Float] {
      var harmonizer = try Harmonizer(settings, sampleRateHz: 48_000)
      var sequencer = try SequencePlayer(sequence, sampleRateHz: 48_000)
      var output = [Float](repeating: 0, count: input.count)
      var target = output.mutableSpan
      for start in stride(from: 0, to: input.count, by: blocks) {
        let block = start..<min(start + blocks, input.count)
        var part = target._mutatingExtracting(block)
        sequencer.process(input.span.extracting(block), through: &harmonizer, into: &part)
      }
      return output
    }
    let whole = try sing(blocks: input.count)
    #expect(try sing(blocks: 100) == whole)
    #expect(whole[..<12_000].allSatisfy { $0 == 0 })
    #expect(whole[20_000..<40_000].contains { abs($0) > 0.1 })
  }

  /// A voice 30 cents above A3 is tuned to the key held from the beat at 0.75 s on and left unchanged
  /// before. By its own tests the tuner is accurate to 5 cents after half a second.
  @Test func aTunerIsPlayed() throws {
    let hz = 220 * exp2(30.0 / 1200)
    let input = AutoTunerTests.voice(seconds: 2) { _ in hz }
    var tuner = try AutoTunerTests.make(AutoTunerTests.settings { $0.target = .heldKeys(.any) })
    let sequence = try Self.sequence(80) { $0.notes = [Self.key(57, at: 1, for: 2)] }
    var sequencer = try SequencePlayer(sequence, sampleRateHz: 48_000)
    var output = [Float](repeating: 0, count: input.count)
    var span = output.mutableSpan
    sequencer.process(input.span, through: &tuner, into: &span)
    let cents = AutoTunerTests.cents(output, near: 220)
    #expect(cents[20..<35].allSatisfy { abs($0 - 30) < 5 })
    #expect(cents[62..<95].allSatisfy { abs($0) < 5 })
  }

  @Test func sequencesAreReadFromJSON() throws {
    let text = """
      {"tempo": 96, "timeSignature": "6/8", "swing": {"unitBeats": 0.5, "share": 0.6},
       "loop": {"fromBeats": 0, "toBeats": 6, "times": 2},
       "pads": [{"atBeats": 0, "chord": "G7/B", "forBeats": 3, "strumMs": 20, "strum": "down"}],
       "notes": [{"atBeats": 3, "press": ["C4", 64], "forBeats": 1.5, "velocity": 90}],
       "pedal": [{"fromBeats": 0, "toBeats": 2}], "lowestNote": "C2"}
      """
    let sequence = try JSONDecoder().decode(NoteSequence.self, from: Data(text.utf8))
    #expect(sequence.tempo.changes == [.init(atBeats: 0, beatsPerMinute: 96)])
    #expect(sequence.notes[0].press == [NoteNumber(60), NoteNumber(64)])
    #expect(sequence.timeSignature.changes[0].timeSignature.barBeats == 3)
    let again = try JSONDecoder().decode(
      NoteSequence.self, from: try JSONEncoder().encode(sequence))
    #expect(again == sequence)
  }

  @Test(arguments: [
    #"{"tempo": 0}"#, #"{"tempo": []}"#, #"{"tempo": [{"atBeats": 1, "beatsPerMinute": 60}]}"#,
    #"{"tempo": 60, "timeSignature": "4/5"}"#, #"{"tempo": 60, "timeSignature": "04/4"}"#,
    #"{"tempo": 60, "loop": {"fromBeats": 2, "toBeats": 2}}"#,
    #"{"tempo": 60, "swing": {"unitBeats": 0.5, "share": 0.4}}"#,
    #"{"tempo": 60, "notes": [{"atBeats": 0, "press": [60.5], "forBeats": 1}]}"#,
    #"{"tempo": 60, "notes": [{"atBeats": -1, "press": [60], "forBeats": 1}]}"#,
    #"{"tempo": 60, "notes": [{"atBeats": 0, "press": [60], "forBeats": 1, "velocity": 0}]}"#,
  ])
  func invalidSequencesAreRefused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(NoteSequence.self, from: Data(text.utf8))
    }
  }
}
