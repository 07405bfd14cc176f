import TestSupport
import Testing

@testable import Music

/// Chords and scales against music21's, from `scripts/vectors/harmony.py`.
@Suite struct HarmonyVectorTests {
  private struct Vectors: Decodable {
    struct Spelled: Decodable { var root: String, formula: String, tones: [String] }
    struct Scaled: Decodable { var tonic: String, scale: String, tones: [String] }
    struct Identified: Decodable { var keys: [Int], formula: String, root: Int, inversion: Int }
    struct Diatonic: Decodable {
      var tonic: String, scale: String, triads: [[String]], sevenths: [[String]]
    }

    var chords: [Spelled]
    var scales: [Scaled]
    var identified: [Identified]
    var diatonic: [Diatonic]
  }

  private static let vectors = Result { try golden("harmony.json", as: Vectors.self) }

  /// The spelling of 24 formulas on 15 roots.
  @Test func chordsAreSpelledLikeMusic21() throws {
    let chords = try Self.vectors.get().chords
    #expect(chords.count == 360)
    for known in chords {
      let formula = try #require(ChordFormula(spelled: known.formula))
      let chord = Chord(try SpelledPitch(named: known.root), formula)
      #expect(chord.spelledTones.map(\.description) == known.tones, "\(chord)")
    }
  }

  @Test func scalesAreSpelledLikeMusic21() throws {
    for known in try Self.vectors.get().scales {
      let key = try Key(named: "\(known.tonic) \(known.scale)")
      #expect(key.spelledTones.map(\.description) == known.tones, "\(key)")
    }
  }

  /// Triads, sevenths and their inversions are identified from the keys alone. An inverted
  /// half-diminished chord has the tones of a minor sixth chord, which is listed first; it is the
  /// second.
  @Test func chordsAreIdentifiedLikeMusic21() throws {
    let cases = try Self.vectors.get().identified
    #expect(cases.count == 375)
    for known in cases {
      let found = Chord.identified(from: known.keys)
      let place = found.firstIndex {
        $0.root.semitones == known.root && $0.formula.name == known.formula
      }
      let isSixth = known.formula == "hdim7" && known.inversion > 0
      #expect(place == (isSixth ? 1 : 0), "\(known.keys)")
      let chord = try #require(place.map { found[$0] })
      #expect(chord.inversion == known.inversion && chord.bass == PitchClass(known.keys[0]))
      if isSixth { #expect(found[0].formula.name == "min6") }
    }
  }

  @Test func keysHaveTheirChords() throws {
    for known in try Self.vectors.get().diatonic {
      let key = try Key(named: "\(known.tonic) \(known.scale)")
      func tones(_ chords: [Chord?]) -> [[String]] {
        chords.map { $0?.spelledTones.map(\.description) ?? [] }
      }
      #expect(tones(key.chords()) == known.triads, "\(key)")
      #expect(tones(key.chords(withSevenths: true)) == known.sevenths, "\(key)")
    }
  }

  /// The chord names of textbook tables of diatonic chords.
  @Test func theChordsOfAKeyHaveNames() throws {
    func names(_ key: String, sevenths: Bool) throws -> [String?] {
      try Key(named: key).chords(withSevenths: sevenths).map { $0?.description }
    }
    #expect(
      try names("C major", sevenths: true)
        == ["Cmaj7", "Dm7", "Em7", "Fmaj7", "G7", "Am7", "Bhdim7"])
    #expect(
      try names("A harmonic minor", sevenths: false)
        == ["Am", "Bdim", "Caug", "Dm", "E", "F", "G#dim"])
    // C E G# B is no chord among the formulas.
    #expect(try names("A harmonic minor", sevenths: true)[2] == nil)
    #expect(try Key(named: "C blues").chords().isEmpty)
  }

  /// Roots are spelled so that key signatures have at most six accidentals.
  @Test func rootsAreSpelledWithFewAccidentals() throws {
    let (major, minor) = (ChordFormula(spelled: "maj")!, ChordFormula(spelled: "m")!)
    for pitch in 0..<12 {
      let (up, down) = (
        SpelledPitch(rootOf: major, at: PitchClass(pitch)),
        SpelledPitch(rootOf: minor, at: PitchClass(pitch))
      )
      #expect(up.pitchClass.semitones == pitch && down.pitchClass.semitones == pitch)
      #expect(abs(up.fifths) <= 6 && abs(down.fifths - 3) <= 6)
    }
    #expect(Chord.all.count == 12 * ChordFormula.all.count)
    #expect(Chord.all.prefix(5).map(\.description) == ["C", "Db", "D", "Eb", "E"])
  }

  @Test(arguments: [
    ([61, 64, 68], "C#m"), ([61, 65, 68], "Db"), ([56, 61, 64], "C#m/G#"), ([61, 64, 69], "A/C#"),
    ([56, 59, 63], "G#m"), ([60, 63, 68], "Ab/C"), ([54, 57, 60, 64], "F#hdim7"),
    ([59, 63, 66, 69], "B7"), ([63, 66, 69, 71], "B7/D#"), ([57, 61, 64, 66], "A6"),
  ])
  func theChordSpellsItsRoot(keys: [Int], name: String) {
    #expect(Chord.identified(from: keys).first?.description == name)
  }
}
