import Music
import Testing

/// Music is equal by its meaning, however it is written.
@Suite struct EqualityTests {
  @Test(arguments: [
    ("Cm", "C:min"), ("C", "C:maj"), ("G7/B", "G:7/B"), ("Ebmaj7", "E♭:M7"), ("Bdim", "B°"),
  ]) func chordsOfOneMeaningAreEqual(names: (String, String)) throws {
    let (one, other) = (try Chord(named: names.0), try Chord(named: names.1))
    #expect(one == other && Set([one, other]).count == 1)
    #expect(one.description == names.0 && other.description == names.1)
  }

  @Test(arguments: [("Cm", "C"), ("C#m", "Dbm"), ("C", "C/E"), ("C", "D")])
  func chordsOfOtherTonesOrNamesDiffer(names: (String, String)) throws {
    #expect(try Chord(named: names.0) != Chord(named: names.1))
  }

  @Test(arguments: ["C Major", "C ionian", "C MAJOR"]) func keysAreEqual(name: String) throws {
    #expect(try Key(named: name) == .cMajor)
    #expect(try Set([Key(named: name), .cMajor]).count == 1)
    #expect(try Key(named: "C minor") != .cMajor && Key(named: "A minor") != .cMajor)
  }

  @Test func numeralsAndProgressionsAreEqual() throws {
    #expect(try RomanNumeral(named: "viio7") == RomanNumeral(named: "vii°7"))
    #expect(try RomanNumeral(named: "V") != RomanNumeral(named: "v"))
    let one = try ChordProgression(named: "Cm | F:7  | rest")
    #expect(try one == ChordProgression(named: "| C:min | F7 | rest |"))
    #expect(try one != ChordProgression(named: "Cm | F | rest"))
  }
}
