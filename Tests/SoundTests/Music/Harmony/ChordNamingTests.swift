import Testing

@testable import Music

/// Roman numerals of chords, and the names of their notes.
@Suite struct ChordNamingTests {
  @Test(arguments: [
    ("C", "C major", "I"), ("Dm7", "C major", "ii7"), ("Bdim", "C major", "vii°"),
    ("G7", "C major", "V7"), ("Cmaj7", "C major", "Imaj7"), ("Bb", "C major", "bVII"),
    ("D7", "C major", "II7"), ("F#m7b5", "C major", "#ivø7"), ("C/E", "C major", "I"),
    ("FmM7", "C major", "ivmaj7"), ("Am6", "C major", "vi6"), ("Gsus4", "C major", "Vsus4"),
    ("Am", "A minor", "i"), ("G", "A minor", "VII"), ("E7", "A minor", "V7"),
    ("G#dim7", "A minor", "vii°7"), ("Bm7b5", "A minor", "iiø7"), ("Caug", "A minor", "IIIaug"),
    ("C#7", "F# major", "V7"), ("E#dim", "F# major", "vii°"), ("Db7", "G major", "bV7"),
    ("G", "C major pentatonic", "V"),
  ])
  func chordsHaveNumerals(chord: String, key: String, numeral: String) throws {
    let found = RomanNumeral(try Chord(named: chord), in: try Key(named: key))
    #expect(found?.description == numeral)
  }

  /// The seventh degree of a minor key takes a diminished chord on the leading tone, so no numeral is
  /// left for the one a semitone lower.
  @Test func aChordWithoutANumeralHasNone() throws {
    #expect(RomanNumeral(try Chord(named: "Gdim"), in: try Key(named: "A minor")) == nil)
  }

  /// Every quality has a numeral on every degree, and it stands for the same chord.
  @Test(arguments: ["C major", "Eb major", "F# major"]) func numeralsAreReadAgain(
    name: String
  ) throws {
    let key = try Key(named: name)
    for formula in ChordFormula.all {
      for root in 0..<12 {
        let chord = Chord(key.spelling(of: PitchClass(root)), formula)
        let numeral = try #require(RomanNumeral(chord, in: key), "\(chord)")
        #expect(try RomanNumeral(named: numeral.description).chord(in: key) == chord)
      }
    }
  }

  /// The octave is the letter's: Cb4 is the key of B3, B#3 that of C4.
  @Test(arguments: [
    ("Cm", ["C3", "Eb3", "G3"]), ("Cb", ["Cb4", "Eb4", "Gb4"]), ("G#", ["G#3", "B#3", "D#4"]),
    ("C7/Bb", ["Bb3", "C4", "E4", "G4"]), ("C/D", ["D3", "E3", "G3", "C4"]),
    ("Bdim7", ["B3", "D4", "F4", "Ab4"]), ("Dadd9", ["D3", "F#3", "A3", "E4"]),
  ])
  func notesAreSpelledAsTones(chord: String, names: [String]) throws {
    #expect(try Chord(named: chord).noteNames(from: 48) == names)
  }

  /// Frequencies of equal temperament with A4 at 440 Hz, from any table, to three decimals.
  @Test(arguments: [
    ("A4", 440.0), ("C2", 65.406), ("C6", 1046.502), ("Bb2", 116.541), ("C4", 261.626),
  ])
  func notesHaveFrequencies(name: String, hz: Double) throws {
    let note = try NoteNumber(named: name)
    #expect(abs(note.hz - hz) < 0.0006)
    #expect(abs(NoteNumber(hz: hz).semitones - note.semitones) < 0.0002)
  }
}
