import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer
@testable import Music

/// The targets of the voices; frequencies are written as equal-tempered notes or ratios to the
/// lead.
@Suite struct ConductorTests {
  static func make(
    _ roles: [VoicePart.Role], key: String = "C major", leadShare: Double? = nil,
    _ change: (inout Conductor.Settings) throws -> Void = { _ in }
  ) throws -> Conductor {
    var settings = Conductor.Settings(key: try Key(named: key))
    try change(&settings)
    return try Conductor(
      roles.map { VoicePart($0, leadShare: leadShare) }, settings, sampleRateHz: 48_000)
  }

  static func hz(_ note: Double) -> Double { 440 * exp2((note - 69) / 12) }

  static func chord(_ name: String) throws -> ChordTones { ChordTones(try Chord(named: name)) }

  /// The deviation of a voice's target from what is expected, in cents.
  static func error(
    _ conductor: borrowing Conductor, _ voice: Int, _ expected: Double
  ) throws -> Double {
    abs(1200 * log2(try #require(conductor.target(ofVoice: voice).hz) / expected))
  }

  /// D4 sung 20 cents sharp: thirds of the key, fixed fifths and a map keep these 20 cents.
  @Test func voicesRelativeToTheLeadMoveWithIt() throws {
    var map = [Int?](repeating: nil, count: 12)
    map[2] = -5
    var conductor = try Self.make([
      .interval(semitones: 7), .degree(3), .degree(-6), .map(semitones: map),
      .interval(semitones: -0.5),
    ])
    conductor.next(leadHz: Self.hz(62.2), samples: 128)
    for (voice, note) in [69.2, 65.2, 53.2, 57.2, 61.7].enumerated() {
      #expect(try Self.error(conductor, voice, Self.hz(note)) < 1e-6)
    }
    conductor.next(leadHz: Self.hz(64), samples: 128)  // a note that the map leaves out
    #expect(conductor.target(ofVoice: 3).hz == nil && conductor.target(ofVoice: 3).key == nil)
    for nothing in [nil, 0, -3, Double.nan, .infinity] {
      conductor.next(leadHz: nothing, samples: 128)
      for voice in 0..<5 { #expect(conductor.target(ofVoice: voice).hz == nil) }
    }
  }

  /// A share of the lead's deviation: 0 gives the exact note, 0.5 follows half of the deviation.
  @Test(arguments: [(0.0, 65.0), (0.5, 65.1), (1.0, 65.2)])
  func theShareOfTheLeadsDeviationIsTaken(share: Double, note: Double) throws {
    var conductor = try Self.make([.degree(3)], leadShare: share)
    conductor.next(leadHz: Self.hz(62.2), samples: 128)
    #expect(try Self.error(conductor, 0, Self.hz(note)) < 1e-6)
  }

  /// A lead on C# in C major: the third is in the key, or parallel to the lead, by the policy.
  @Test func aLeadOutOfKeyFollowsThePolicy() throws {
    for (policy, note) in [
      (OutOfKeyPolicy.nearestTone, 64.0), (.upperTone, 65), (.lowerTone, 64), (.parallel, 65),
    ] {
      var conductor = try Self.make([.degree(3)]) { $0.outOfKey = policy }
      conductor.next(leadHz: Self.hz(61), samples: 128)
      #expect(try Self.error(conductor, 0, Self.hz(note)) < 1e-6)
    }
    var silent = try Self.make([.degree(3)]) { $0.outOfKey = .silent }
    silent.next(leadHz: Self.hz(61), samples: 128)
    #expect(silent.target(ofVoice: 0).hz == nil)
  }

  /// A vibrato across the boundary between E and F leaves the third above unchanged.
  @Test func degreesDoNotFlutter() throws {
    var conductor = try Self.make([.degree(3)])
    var keys: Set<Int?> = []
    for block in 0..<400 {
      let pitch = 64.5 + 0.25 * sineOf(turns: 6 * Double(block) * 128 / 48_000)
      conductor.next(leadHz: Self.hz(pitch), samples: 128)
      keys.insert(conductor.target(ofVoice: 0).key)
    }
    #expect(keys.count == 1)
  }

  @Test func chordsPedalAndDescantSoundTogether() throws {
    var conductor = try Self.make([
      .pedal(key: 36), .chord(.init(48, 64)), .chord(.init(52, 67)), .chord(.init(55, 72)),
      .descant,
    ])
    conductor.next(leadHz: Self.hz(67), samples: 128)
    #expect(conductor.target(ofVoice: 1).hz == nil && conductor.target(ofVoice: 4).hz == nil)
    #expect(try Self.error(conductor, 0, Self.hz(36)) < 1e-6)
    conductor.setChord(try Self.chord("C"))
    conductor.next(leadHz: Self.hz(67.3), samples: 128)
    let keys = (1...3).map { conductor.target(ofVoice: $0).key! }
    #expect(Set(keys.map { $0 % 12 }) == [0, 4, 7] && keys == keys.sorted())
    // C5, the lowest tone of C a third or more above G4, independent of the lead's 30 cents.
    #expect(try Self.error(conductor, 4, Self.hz(72)) < 1e-6)
    conductor.next(leadHz: nil, samples: 128)  // notes go on without the lead
    #expect(try Self.error(conductor, 4, Self.hz(72)) < 1e-6)
    conductor.setChord(nil)
    conductor.next(leadHz: nil, samples: 128)
    #expect(conductor.target(ofVoice: 1).hz == nil && conductor.target(ofVoice: 0).hz != nil)
  }

  /// The descant is above the lead wherever it goes, a tone of the chord, and within an octave.
  @Test func theDescantStaysAbove() throws {
    var conductor = try Self.make([.descant])
    for (place, name) in ["C", "F", "G7", "Am", "Bdim7", "E5"].enumerated() {
      let chord = try Self.chord(name)
      conductor.setChord(chord)
      for step in 0..<500 {
        let pitch = 62 + 14 * sineOf(turns: Double(step) / 500 + 0.1 * Double(place))
        conductor.next(leadHz: Self.hz(pitch), samples: 128)
        let key = try #require(conductor.target(ofVoice: 0).key)
        #expect(chord.tones.contains(key))
        #expect(Double(key) > pitch + 1 && Double(key) < pitch + 13)
      }
    }
  }

  @Test func heldKeysAreSungAndRepeated() throws {
    var conductor = try Self.make([.held, .held, .interval(semitones: 4)])
    conductor.press(60)
    conductor.press(64)
    conductor.next(leadHz: nil, samples: 128)
    #expect(try Self.error(conductor, 0, Self.hz(60)) < 1e-6)
    #expect(try Self.error(conductor, 1, Self.hz(64)) < 1e-6)
    #expect(conductor.target(ofVoice: 1).onsets == 1)
    conductor.press(64)
    conductor.release(60)
    conductor.next(leadHz: nil, samples: 128)
    #expect(conductor.target(ofVoice: 0).hz == nil && conductor.target(ofVoice: 1).onsets == 2)
  }

  /// Pitch bend moves told and held notes by the amount set and starts no note, whatever its size,
  /// with or without a share of the lead's deviation.
  @Test(arguments: [0.0, 1]) func aBendMovesThePitchOnly(leadShare: Double) throws {
    var conductor = try Self.make([.explicit, .held], leadShare: leadShare)
    conductor.setNote(60, ofVoice: 0)
    conductor.press(64)
    for bend in [0, 0.3, 1.9, -12, 0.0] {
      conductor.setBend(semitones: bend, ofVoice: 0)
      conductor.setBend(semitones: bend, ofKey: 64)
      conductor.setBend(semitones: 5, ofKey: 65)
      conductor.next(leadHz: Self.hz(55.2), samples: 128)
      for (voice, key) in [60, 64].enumerated() {
        let expected = Self.hz(Double(key) + bend + 0.2 * leadShare)
        #expect(try Self.error(conductor, voice, expected) < 1e-3)
        #expect(conductor.target(ofVoice: voice).key == key)
        #expect(conductor.target(ofVoice: voice).onsets == 1)
      }
    }
    conductor.setBend(semitones: .nan, ofVoice: 0)
    conductor.setBend(semitones: 3, ofKey: 64)
    conductor.reset()
    conductor.setNote(60, ofVoice: 0)
    conductor.press(64)
    conductor.next(leadHz: nil, samples: 128)
    #expect(try Self.error(conductor, 0, Self.hz(60)) < 1e-6)
    #expect(try Self.error(conductor, 1, Self.hz(64)) < 1e-6)
  }

  /// A chord takes effect in the block that begins at or after its sample.
  @Test func aChordTrackFollowsTheSampleTime() throws {
    var conductor = try Self.make([.descant]) {
      $0.chordTrack = ChordTrack([
        .init(atSeconds: 0, try Chord(named: "C")), .init(atSeconds: 0.01, try Chord(named: "F")),
        .init(atSeconds: 0.02, nil),
      ])
    }
    var keys: [Int?] = []
    for _ in 0..<10 {
      conductor.next(leadHz: Self.hz(67), samples: 120)  // 2.5 ms
      keys.append(conductor.target(ofVoice: 0).key)
    }
    // Over G4 the descant is C5, which F contains too.
    #expect(keys == [72, 72, 72, 72, 72, 72, 72, 72, nil, nil])
    conductor.reset()
    conductor.next(leadHz: Self.hz(69), samples: 120)
    #expect(conductor.target(ofVoice: 0).key == 72)
  }

  /// A C7 in barbershop tuning is 4:5:6:7, tuned to the lead, here E4 23 cents sharp.
  @Test func aBarbershopChordIsTunedToTheLead() throws {
    var conductor = try Self.make([.held, .held, .held, .interval(semitones: 1)]) {
      $0.tuning = Tuning(.barbershop)
    }
    for key in [48, 67, 70] { conductor.press(key) }
    conductor.setChord(try Self.chord("C7"))
    let lead = Self.hz(64.23)
    conductor.next(leadHz: lead, samples: 128)
    for (voice, ratio) in [2.0 / 5, 6.0 / 5, 7.0 / 5].enumerated() {
      #expect(try Self.error(conductor, voice, lead * ratio) < 1e-6)
    }
    // Cents beside a tone stay beside the pure tone.
    var bent = try Self.make([.explicit]) { $0.tuning = Tuning(.barbershop) }
    bent.setChord(try Self.chord("C7"))
    bent.setNote(67.3, ofVoice: 0)
    bent.next(leadHz: lead, samples: 128)
    #expect(try Self.error(bent, 0, lead * 6 / 5 * exp2(0.3 / 12)) < 1e-6)
    // F is no tone of the chord, so its semitone is equal-tempered.
    #expect(try Self.error(conductor, 3, lead * exp2(1.0 / 12)) < 1e-6)
    // On D, which is no tone either, keys are equal-tempered and move with the lead.
    conductor.next(leadHz: Self.hz(62.1), samples: 128)
    #expect(try Self.error(conductor, 0, Self.hz(48.1)) < 1e-6)
  }

  /// Just thirds in C major above C and D: 5/4 and 32/27 of the lead.
  @Test func degreesFollowTheTuning() throws {
    var conductor = try Self.make([.degree(3)]) { $0.tuning = Tuning(.just(centre: PitchClass(0))) }
    for (note, ratio) in [(60.1, 5.0 / 4), (62, 32.0 / 27)] {
      conductor.next(leadHz: Self.hz(note), samples: 128)
      #expect(try Self.error(conductor, 0, Self.hz(note) * ratio) < 1e-6)
    }
  }

  /// The same history gives the same targets, whatever the block size, and again after a reset.
  @Test func isTheSameInAnyBlocksAndAfterReset() throws {
    func play(_ conductor: inout Conductor, _ block: Int) throws -> [Conductor.Target] {
      var heard: [Conductor.Target] = []
      for start in stride(from: 0, to: 48_000, by: 1200) {
        if start == 6000 { conductor.setChord(try Self.chord("G7")) }
        if start == 12_000 { conductor.press(62) }
        if start == 18_000 { conductor.setKey(try Key(named: "Eb major").tones, tonic: 3) }
        if start == 36_000 { conductor.release(62) }
        let lead = start == 24_000 ? nil : Self.hz(60 + Double(start) / 4800)
        for _ in stride(from: 0, to: 1200, by: block) {
          conductor.next(leadHz: lead, samples: block)
        }
        for voice in 0..<conductor.voiceCount { heard.append(conductor.target(ofVoice: voice)) }
      }
      return heard
    }
    let roles: [VoicePart.Role] = [.degree(3), .held, .chord(.init(48, 70)), .descant]
    var first = try Self.make(roles)
    var second = try Self.make(roles)
    let expected = try play(&first, 1200)
    #expect(try play(&second, 100) == expected)
    second.reset()
    #expect(try play(&second, 300) == expected)
  }

  @Test func allocatesNothing() throws {
    let roles: [VoicePart.Role] = [
      .degree(3), .interval(semitones: 4), .map(semitones: Array(repeating: 3, count: 12)),
      .chord(.init(48, 70)), .held, .pedal(key: 40), .descant,
    ]
    let fresh = { try Self.make(roles) { $0.tuning = Tuning(.barbershop) } }
    let chord = try Self.chord("Dm7")
    let calls = try allocatorCalls(on: fresh) { conductor in
      conductor.setChord(chord)
      conductor.press(60)
      for _ in 0..<100 { conductor.next(leadHz: 233, samples: 128) }
      conductor.reset()
    }
    #expect(calls == 0)
  }

  @Test func settingsAreCheckedAndKept() throws {
    var settings = Conductor.Settings(key: try Key(named: "F# dorian"))
    settings.chordTrack = ChordTrack([.init(atSeconds: 1, try Chord(named: "Am7"))])
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(Conductor.Settings.self, from: data) == settings)
    for broken in [
      VoicePart(.degree(0)), VoicePart(.degree(16)), VoicePart(.map(semitones: [1, 2])),
      VoicePart(.pedal(key: 128)), VoicePart(.interval(semitones: .nan)),
      VoicePart(.held, leadShare: 2), VoicePart(.chord(.init(60, 61))),
    ] {
      #expect(throws: SettingsError.self) { try settings.validate(for: [broken]) }
    }
  }
}
