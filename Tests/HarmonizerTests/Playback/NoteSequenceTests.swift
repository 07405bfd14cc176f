import DSP
import Foundation
import Testing

@testable import Harmonizer
@testable import Music

@Suite struct NoteSequenceTests {
  /// The events by sample and name.
  private static func play(_ sequence: NoteSequence, rateHz: Double) throws -> [String] {
    try sequence.validate()
    return sequence.events.map { event in
      let text =
        switch event.action {
        case .press(let key, let velocity): "+\(key)" + (velocity == 127 ? "" : "@\(velocity)")
        case .release(let key): "-\(key)"
        case .pedal(let isDown): isDown ? "down" : "up"
        case .bend(let key, let semitones): "~\(key)@\(semitones)"
        case .releaseAll, .latch: "\(event.action)"
        }
      return "\(Int((event.atSeconds * rateHz).rounded())) \(text)"
    }
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
      try Self.play(sequence, rateHz: 100) == [
        "0 ~60@-1.0", "0 +60", "50 ~60@0.25", "200 -60", "200 ~60@0.0", "200 +60", "200 +64",
        "300 -60", "300 -64",
      ])
    #expect(
      try JSONDecoder().decode(
        NoteSequence.self, from: JSONEncoder().encode(sequence)) == sequence)
  }

  /// A loop writes presses out of order, and two overlap: the pedal is down until the last ends. Where
  /// two touch, it rises. A beat is a second.
  @Test func pedalsThatMeetAreInOrder() throws {
    let sequence = try Self.sequence(60) {
      $0.pedal = [
        .init(fromBeats: 0, toBeats: 1), .init(fromBeats: 1, toBeats: 1.5),
        .init(fromBeats: 1.2, toBeats: 2), .init(fromBeats: 1.3, toBeats: 1.4),
      ]
      $0.loop = .init(fromBeats: 0, toBeats: 2, times: 2)
    }
    #expect(
      try Self.play(sequence, rateHz: 100) == [
        "0 down", "100 up", "100 down", "200 up", "200 down", "300 up", "300 down", "400 up",
      ])
  }

  @Test func chordsAboveTheLastKeyAreRefused() throws {
    let chord = try Chord(named: "C")
    let high = try Self.sequence(60) {
      $0.lowestNote = NoteNumber(121)
      $0.pads = [.init(atBeats: 0, chord, forBeats: 1)]
    }
    // The C at or above 121 is 132. A bass lies at most 11 keys above the lowest note and 7 below the G.
    #expect(
      throws: SequenceError.setting(
        .outOfRange(setting: "lowestNote", value: 121, allowed: 0...109))
    ) {
      try high.validate()
    }
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

  /// An hour at 137 beats a minute and 44.1 kHz. Beat n is at sample 44,100 · 60 n / 137, rounded, in
  /// integers. No tie can occur, as 137 is odd.
  @Test func timesStayExactForAnHour() throws {
    let beats = 137 * 60
    let sequence = try Self.sequence(137) {
      $0.notes = (0..<beats).map { Self.key(60, at: Double($0), for: 0.5) }
    }
    let expected = (0..<beats).flatMap { beat in
      // Off-beats: 44,100 · 60 (2n + 1) / 274.
      [
        "\((44_100 * 60 * 2 * beat + 137) / (2 * 137)) +60",
        "\((44_100 * 60 * (2 * beat + 1) + 137) / 274) -60",
      ]
    }
    #expect(try Self.play(sequence, rateHz: 44_100) == expected)
  }

  /// A tempo of 120 until beat 4, 60 until beat 6, then 240: beat 8 is after 2 + 2 + 0.5 s.
  @Test func theTempoChanges() throws {
    let tempo = try TempoMap([
      .init(atBeats: 0, beatsPerMinute: 120), .init(atBeats: 4, beatsPerMinute: 60),
      .init(atBeats: 6, beatsPerMinute: 240),
    ])
    let known = [(1.0, 0.5), (4, 2), (5, 3), (6, 4), (8, 4.5)]
    for (beats, seconds) in known {
      #expect(tempo.seconds(atBeats: beats) == seconds)
    }
    var sequence = NoteSequence(tempo: tempo)
    sequence.notes = [Self.key(60, at: 3, for: 2), Self.key(62, at: 8, for: 1)]
    #expect(
      try Self.play(sequence, rateHz: 1000) == [
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
      try Self.play(sequence, rateHz: 6000) == [
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

  /// Beats 1 to 3 twice: what begins in them begins again two beats later, the rest comes after that. A
  /// beat is a second.
  @Test func aLoopIsPlayedSeveralTimes() throws {
    let sequence = try Self.sequence(60) {
      $0.loop = .init(fromBeats: 1, toBeats: 3, times: 2)
      $0.notes = [
        Self.key(60, at: 0, for: 1), Self.key(62, at: 1, for: 0.5), Self.key(64, at: 3, for: 1),
      ]
      $0.pads = [.init(atBeats: 2, try Chord(named: "C5"), forBeats: 0.5)]
    }
    #expect(
      try Self.play(sequence, rateHz: 10) == [
        "0 +60", "10 -60", "10 +62", "15 -62", "20 +48", "20 +55", "25 -48", "25 -55",
        "30 +62", "35 -62", "40 +48", "40 +55", "45 -48", "45 -55", "50 +64", "60 -64",
      ])
    #expect(
      try JSONDecoder().decode(NoteSequence.self, from: JSONEncoder().encode(sequence)) == sequence)
    let backwards = try Self.sequence(60) { $0.loop = .init(fromBeats: 3, toBeats: 1, times: 2) }
    #expect(throws: SequenceError.self) { try backwards.validate() }
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
      try Self.play(sequence, rateHz: 1000) == [
        "1000 +55@90", "1010 +52@90", "1020 +48@90", "1500 -55", "1500 -52", "1500 -48",
      ])
  }

  @Test func thePedalMovesAfterTheKeys() throws {
    let sequence = try Self.sequence(60) {
      $0.notes = [Self.key(60, at: 0, for: 1), Self.key(62, at: 1, for: 1)]
      $0.pedal = [.init(fromBeats: 1, toBeats: 2)]
    }
    #expect(
      try Self.play(sequence, rateHz: 100) == [
        "0 +60", "100 -60", "100 +62", "100 down", "200 -62", "200 up",
      ])
  }

  @Test func sequencesAreReadFromJSON() throws {
    let text = """
      {"tempo": 96, "timeSignature": "6/8", "swing": {"unitBeats": 0.5, "share": 0.6},
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
