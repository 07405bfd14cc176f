import Testing

@testable import Music

/// Scale numbers are Ian Ring's; spellings and chords are those of textbooks on harmony.
@Suite struct ScaleAndSpellingTests {
  @Test(arguments: [
    ("dorian b2", 1707), ("lydian augmented", 2901), ("lydian dominant", 1749),
    ("mixolydian b6", 1461), ("locrian #2", 1389), ("altered", 1371), ("locrian #6", 1643),
    ("ionian #5", 2869), ("dorian #4", 1741), ("phrygian dominant", 1459), ("lydian #2", 2777),
    ("ultralocrian", 859), ("harmonic major", 2485), ("double harmonic", 2483),
    ("hungarian minor", 2509), ("major blues", 669), ("diminished", 2925),
    ("dominant diminished", 1755),
  ])
  func modesHaveTheirNumbers(name: String, number: Int) throws {
    #expect(try Scale(named: name).tones == UInt16(number))
  }

  /// Digits from the tonic up: D dorian is 2 1 2 2 2 1 2 semitones, 1709 in Ring's numbers.
  @Test func aScaleMayBeTwelveDigits() throws {
    #expect(try Scale(named: "101101010110").tones == 1709)
    #expect(try Key(named: "D 101101010110").tones == Key(named: "C major").tones)
    for text in ["001101010110", "10110101011", "101101010112"] {
      #expect(throws: MusicError.scale(text)) { try Scale(named: text) }
    }
  }

  /// Steps count along the set's tones, across octaves and in both directions.
  @Test func aToneSetCountsSteps() {
    let cMajor = ToneSet([0, 2, 4, 5, 7, 9, 11])
    #expect(cMajor.tone(after: 60, steps: 9) == 76)
    #expect(cMajor.tone(after: 60, steps: -1) == 59 && cMajor.tone(after: 60, steps: -7) == 48)
    #expect(cMajor.tone(after: 61, steps: 1) == nil)
    #expect(cMajor.tone(nearest: -0.4) == 0 && cMajor.tone(nearest: -0.6) == -1)
    #expect(cMajor.transposed(by: 2) == ToneSet([2, 4, 6, 7, 9, 11, 1]))
    #expect(cMajor.transposed(by: -12) == cMajor)
    #expect(ToneSet([]).tone(nearest: 60) == nil)
  }

  @Test(arguments: [
    ("C major", 10, "Bb4"), ("C major", 6, "F#4"), ("C major", 8, "Ab4"),
    ("A minor", 8, "G#4"), ("A minor", 10, "Bb4"), ("A harmonic minor", 8, "G#4"),
    ("F# major", 5, "E#4"), ("Gb major", 11, "Cb5"), ("C# major", 0, "B#3"),
    ("Bb major", 3, "Eb4"), ("D minor", 1, "C#4"), ("E major", 3, "D#4"),
    ("C blues", 6, "Gb4"), ("C altered", 4, "Fb4"), ("C minor pentatonic", 3, "Eb4"),
  ])
  func aKeySpellsItsNotes(key: String, above: Int, name: String) throws {
    #expect(try Key(named: key).name(ofNote: 60 + above) == name)
  }

  /// Every pitch class has one spelling in every key, and that spelling is of the same pitch class.
  @Test func everySpellingHasItsPitchClass() throws {
    for scale in Scale.named {
      for tonic in ["C", "F#", "Gb", "B", "Db", "A"] {
        let key = Key(try SpelledPitch(named: tonic), scale)
        for pitch in 0..<12 {
          #expect(key.spelling(of: PitchClass(pitch)).pitchClass.semitones == pitch)
        }
      }
    }
    for fifths in -15...15 { #expect(SpelledPitch(fifths: fifths).fifths == fifths) }
  }

  @Test(arguments: [
    ("C#", ["C#", "E#", "G#"]), ("Ebm", ["Eb", "Gb", "Bb"]), ("Bdim7", ["B", "D", "F", "Ab"]),
    ("G#maj7", ["G#", "B#", "D#", "F##"]), ("Caug", ["C", "E", "G#"]),
    ("C7#9", ["C", "E", "G", "Bb", "D#"]), ("Dbm7b5", ["Db", "Fb", "Abb", "Cb"]),
  ])
  func aChordSpellsItsTones(name: String, tones: [String]) throws {
    #expect(try Chord(named: name).spelledTones.map(\.description) == tones)
  }

  @Test(arguments: [
    ([60, 64, 67], "C"), ([64, 67, 72], "C/E"), ([55, 60, 64], "C/G"), ([57, 60, 64], "Am"),
    ([57, 60, 64, 67], "Am7"), ([60, 64, 67, 69], "C6"), ([59, 62, 65, 69], "Bhdim7"),
    ([55, 59, 62, 65], "G7"), ([55, 59, 65], "G7"), ([59, 62, 65, 68], "Bdim7"),
    ([60, 64, 68], "Caug"), ([60, 62, 67], "Csus2"), ([60, 67, 48], "C5"),
    ([50, 60, 64, 67], "Cadd9/D"), ([48, 53, 57, 60], "F/C"), ([60, 64, 67, 71, 74], "Cmaj9"),
    ([54, 60, 64, 67], "C/F#"), ([60, 63, 67, 71], "Cmmaj7"),
  ])
  func notesAreNamedAsChords(notes: [Int], name: String) {
    #expect(Chord.identified(from: notes).first?.description == name)
  }

  @Test func theKeySpellsAChordAndNonChordsHaveNoName() throws {
    let notes = [61, 65, 68]
    #expect(
      Chord.identified(from: notes, in: try Key(named: "F# major")).first?.description == "C#")
    #expect(
      Chord.identified(from: notes, in: try Key(named: "Ab major")).first?.description == "Db")
    #expect(Chord.identified(from: []).isEmpty && Chord.identified(from: [60, 61, 62]).isEmpty)
  }

  /// Each formula is identified with each of its tones as the bass, and its name is parsed again.
  @Test func everyInversionIsFoundAgain() throws {
    for formula in ChordFormula.all {
      for tone in formula.semitones {
        let root = SpelledPitch(letter: 1, alteration: 0)
        let bass = Key(root, Scale.named[0]).spelling(of: PitchClass(2 + tone))
        let chord = Chord(root, formula, bass: bass)
        let found = Chord.identified(from: chord.notes(from: 36))
        #expect(found.contains { $0.root == chord.root && $0.formula == formula })
        #expect(try Chord(named: chord.description).notes(from: 36) == chord.notes(from: 36))
      }
    }
    #expect(try Chord(named: "C/G").inversion == 2 && Chord(named: "C/D").inversion == nil)
  }

  @Test(arguments: [
    ("I", "C major", "C"), ("ii7", "C major", "Dm7"), ("V7/V", "C major", "D7"),
    ("bVII", "C major", "Bb"), ("viiø7", "C major", "Bhdim7"), ("vii°7/ii", "C major", "C#dim7"),
    ("V7", "F# major", "C#7"), ("VII", "A minor", "G"), ("#vii°7", "A minor", "G#dim7"),
    ("vii°", "A minor", "G#dim"), ("vii", "E phrygian", "Dm"),
    ("vii°", "A harmonic minor", "G#dim"),
    ("iv", "E minor", "Am"), ("bVI", "D major", "Bb"), ("IVmaj7", "Bb major", "Ebmaj7"),
    ("V/V/V", "C major", "A"), ("V", "C major pentatonic", "G"), ("V7/vi", "C major", "E7"),
    ("V7/iii", "C major", "B7"), ("III+", "A harmonic minor", "Caug"), ("iii", "Ab major", "Cm"),
  ])
  func numeralsAreChords(numeral: String, key: String, chord: String) throws {
    let found = try RomanNumeral(named: numeral).chord(in: try Key(named: key))
    #expect(found.description == chord)
  }

  @Test(arguments: ["", "VIII", "Vfoo", "V7/V7", "V/", "/V", "iI", "8"])
  func invalidNumeralsAreRefused(text: String) {
    #expect(throws: MusicError.romanNumeral(text)) { try RomanNumeral(named: text) }
  }

  /// A lead on C# in C major: the third above C is E, above D it is F; E is 3 above C#, and F 4.
  @Test func outOfKeyIntervalsFollowThePolicy() throws {
    let key = try Key(named: "C major").tones
    func third(_ policy: OutOfKeyPolicy) -> Int? {
      key.intervalSemitones(ofDegree: 3, above: 61, outOfKey: policy)
    }
    #expect(third(.nearestTone) == 3 && third(.lowerTone) == 3 && third(.upperTone) == 4)
    #expect(third(.parallel) == 4)  // like C to E
    #expect(third(.silent) == nil)
    for policy in OutOfKeyPolicy.allCases {
      #expect(key.intervalSemitones(ofDegree: -3, above: 60, outOfKey: policy) == -3)
    }
  }
}
