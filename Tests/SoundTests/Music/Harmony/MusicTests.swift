import Foundation
import Testing

@testable import Music

/// Expected values are those of textbooks on harmony. Scale numbers are Ian Ring's: the 12 bits of
/// a scale read as a number.
@Suite struct MusicTests {
  @Test(arguments: [
    ("C4", 60.0), ("A4", 69), ("C-1", 0), ("G9", 127), ("F#3", 54), ("Gb3", 54), ("Bb2", 46),
    ("Cb4", 59), ("B#3", 60), ("F##3", 55), ("E♭5", 75), ("0", 0), ("60", 60), ("127", 127),
  ])
  func notesHaveNumbers(name: String, number: Double) throws {
    #expect(try NoteNumber(named: name).semitones == number)
  }

  @Test func numbersHaveNames() {
    #expect(NoteNumber(60).name() == "C4")
    #expect(NoteNumber(46).name() == "A#2")
    #expect(NoteNumber(0).name() == "C-1")
    #expect(NoteNumber(60.25).name() == "C4+25" && NoteNumber(59.9).name() == "C4-10")
    #expect(NoteNumber(57).hz == 220)
  }

  @Test(arguments: ["", "H4", "c4", "C", "C4.5", "60.5", "C+4", "Bb 2", "C-9223372036854775808"])
  func invalidNotesAreRefused(text: String) {
    #expect(throws: MusicError.note(text)) { try NoteNumber(named: text) }
  }

  @Test(arguments: [("G#9", "G#9"), ("B-2", "B-2"), ("128", "128"), ("-1", "-1")])
  func notesBeyondMIDIAreRefused(text: String, shown: String) {
    #expect(throws: MusicError.noteRange(shown)) { try NoteNumber(named: text) }
  }

  /// Chords written out as notes from C3 = 48 up.
  @Test(arguments: [
    ("C", ["C3", "E3", "G3"]), ("C:maj7", ["C3", "E3", "G3", "B3"]),
    ("Am", ["A3", "C4", "E4"]), ("G7", ["G3", "B3", "D4", "F4"]),
    ("Bdim", ["B3", "D4", "F4"]), ("Bb", ["Bb3", "D4", "F4"]), ("Bbm", ["Bb3", "Db4", "F4"]),
    ("Dsus2", ["D3", "E3", "A3"]), ("Dsus4", ["D3", "G3", "A3"]), ("F5", ["F3", "C4"]),
    ("C6", ["C3", "E3", "G3", "A3"]), ("Am6", ["A3", "C4", "E4", "F#4"]),
    ("E9", ["E3", "G#3", "B3", "D4", "F#4"]), ("Cadd9", ["C3", "E3", "G3", "D4"]),
    ("F#m7b5", ["F#3", "A3", "C4", "E4"]), ("B:hdim7", ["B3", "D4", "F4", "A4"]),
    ("C#dim7", ["C#3", "E3", "G3", "A#3"]), ("Caug", ["C3", "E3", "G#3"]),
    ("A:min7", ["A3", "C4", "E4", "G4"]), ("CmM7", ["C3", "Eb3", "G3", "B3"]),
    // Inversions, a bass that isn't a tone of the chord, and an inversion with a ninth.
    ("C/E", ["E3", "G3", "C4"]), ("C/G", ["G3", "C4", "E4"]), ("G7/F", ["F3", "G3", "B3", "D4"]),
    ("C/D", ["D3", "E3", "G3", "C4"]), ("Cadd9/E", ["E3", "G3", "C4", "D4"]),
  ])
  func chordsHaveTheirNotes(name: String, notes: [String]) throws {
    let expected = try notes.map { Int(try NoteNumber(named: $0).semitones) }
    #expect(try Chord(named: name).notes(from: 48) == expected)
  }

  @Test func theLowestNoteMayBeTheBass() throws {
    #expect(try Chord(named: "C").notes(from: 60) == [60, 64, 67])
    #expect(try Chord(named: "C").notes(from: 61) == [72, 76, 79])
    #expect(try Chord(named: "B").notes(from: 0) == [11, 15, 18])
  }

  @Test func invalidChordNamesAreReported() {
    #expect(throws: MusicError.chord("Cfoo", unknownQuality: "foo")) { try Chord(named: "Cfoo") }
    #expect(throws: MusicError.chordWithoutRoot("X7")) { try Chord(named: "X7") }
    #expect(throws: MusicError.pitchClass("H")) { try Chord(named: "C/H") }
    let words = MusicError.chord("Cfoo", unknownQuality: "foo").description
    #expect(words.contains("'Cfoo'") && words.contains("hdim7") && words.contains("sus4"))
  }

  @Test(arguments: [
    ("major", 2741), ("minor", 1453), ("dorian", 1709), ("phrygian", 1451), ("lydian", 2773),
    ("mixolydian", 1717), ("locrian", 1387), ("harmonic minor", 2477), ("melodic minor", 2733),
    ("major pentatonic", 661), ("minor pentatonic", 1193), ("blues", 1257),
    ("whole tone", 1365), ("chromatic", 4095),
  ])
  func scalesAreSetsOfTwelveBits(name: String, number: Int) throws {
    #expect(try Scale(named: name).tones == UInt16(number))
  }

  /// Thirds and sixths above and below each tone of C major.
  @Test func thirdsInCMajorFollowTheKey() throws {
    let key = try Key(named: "C major")
    let lead = [60, 62, 64, 65, 67, 69, 71]  // C D E F G A B
    let thirds = try lead.map { try key.intervalSemitones(ofDegree: 3, above: $0) }
    #expect(thirds == [4, 3, 3, 4, 4, 3, 3])
    let below = try lead.map { try key.intervalSemitones(ofDegree: -3, above: $0) }
    #expect(below == [-3, -3, -4, -3, -3, -4, -4])  // A B C D E F G
    #expect(try key.intervalSemitones(ofDegree: 1, above: 60) == 0)
    #expect(try key.intervalSemitones(ofDegree: 8, above: 62) == 12)
    #expect(try key.intervalSemitones(ofDegree: -8, above: 62) == -12)
    #expect(try key.intervalSemitones(ofDegree: -8, above: 60) == -12)
    #expect(try key.intervalSemitones(ofDegree: -15, above: 60) == -24)
    #expect(try key.intervalSemitones(ofDegree: 10, above: 71) == 15)  // B4 to D6
  }

  @Test func aFifthInAMinorIsDiminishedOverB() throws {
    let key = try Key(named: "A minor")
    #expect(try key.intervalSemitones(ofDegree: 5, above: 69) == 7)
    #expect(try key.intervalSemitones(ofDegree: 5, above: 59) == 6)
  }

  @Test func aPitchBetweenTonesHasTheNearerOne() throws {
    let key = try Key(named: "C major")
    #expect(key.tones.tone(nearest: 60.9) == 60)
    #expect(key.tones.tone(nearest: 61.1) == 62)
    #expect(key.tones.tone(nearest: 61) == 60)  // equally near: the lower one
    #expect(key.tones.tone(nearest: 64.6) == 65)
    #expect(try Key(named: "F# dorian").tones.tone(nearest: 60.2) == 61)  // C# is its fifth
  }

  @Test func invalidDegreesAndKeysAreRefused() throws {
    let key = try Key(named: "C major")
    #expect(throws: MusicError.degree(0)) { try key.intervalSemitones(ofDegree: 0, above: 60) }
    #expect(throws: MusicError.degree(16)) { try key.intervalSemitones(ofDegree: 16, above: 60) }
    #expect(throws: MusicError.key("C")) { try Key(named: "C") }
    #expect(throws: MusicError.scale("blue")) { try Key(named: "C blue") }
  }

  @Test func namesAreReadAndWrittenAsText() throws {
    let text = #"["C:maj7/E"]"#
    let chords = try JSONDecoder().decode([Chord].self, from: Data(text.utf8))
    #expect(chords[0].notes(from: 48) == [52, 55, 59, 60])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(String(decoding: try encoder.encode(chords), as: UTF8.self) == text)
    let notes = try JSONDecoder().decode([NoteNumber].self, from: Data(#"["C4", 61.5]"#.utf8))
    #expect(notes.map(\.semitones) == [60, 61.5])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([NoteNumber].self, from: Data("[128]".utf8))
    }
  }
}
