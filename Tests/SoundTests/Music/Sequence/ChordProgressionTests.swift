import Testing

@testable import Music

/// Expected chords are those of any book on harmony; a bar of 4/4 has four beats.
@Suite struct ChordProgressionTests {
  private static func progression(_ text: String, _ key: String? = nil) throws -> ChordProgression {
    try ChordProgression(named: text, in: try key.map(Key.init(named:)))
  }

  /// Each chord with its start and length in beats.
  private static func texts(
    _ progression: ChordProgression, _ signature: TimeSignature = .common
  ) -> [String] {
    progression.timed(in: signature).map {
      "\($0.chord?.description ?? "rest") \($0.atBeats)+\($0.forBeats)"
    }
  }

  @Test func chordsShareTheirBar() throws {
    let found = try Self.progression("C:maj7 | A:min7|D:min7  G:7\n| Am Bb/D F G7")
    #expect(
      Self.texts(found) == [
        "C:maj7 0.0+4.0", "A:min7 4.0+4.0", "D:min7 8.0+2.0", "G:7 10.0+2.0", "Am 12.0+1.0",
        "Bb/D 13.0+1.0", "F 14.0+1.0", "G7 15.0+1.0",
      ])
  }

  @Test(arguments: [
    ("4/4", ["C 0.0+4.0", "Am 4.0+4.0", "Dm 8.0+4.0", "G 12.0+4.0"]),
    ("6/8", ["C 0.0+3.0", "Am 3.0+3.0", "Dm 6.0+3.0", "G 9.0+3.0"]),
  ])
  func withoutBarLinesEachChordHasABar(signature: String, expected: [String]) throws {
    let found = try Self.progression("I vi ii V", "C major")
    #expect(Self.texts(found, try TimeSignature(named: signature)) == expected)
  }

  /// Lines at the ends are no bars, so one bar may have several chords.
  @Test func barLinesAtTheEndsAreIgnored() throws {
    #expect(
      try Self.texts(Self.progression("| i iv | V7 |", "A minor")) == [
        "Am 0.0+2.0", "Dm 2.0+2.0", "E7 4.0+4.0",
      ])
    #expect(try Self.progression("| D G |").bars.map(\.count) == [2])
  }

  /// Names and numerals may be mixed: a name means the same chord in any key.
  @Test func namesAreValidInAKeyToo() throws {
    #expect(
      try Self.progression("bVII | F#m7b5 | V7/V", "D major").bars.flatMap(\.self).map {
        $0?.description
      } == ["C", "F#m7b5", "E7"])
  }

  @Test(arguments: [
    ("", nil, MusicError.emptyBar(1)), ("|", nil, .emptyBar(1)), ("C | | G", nil, .emptyBar(2)),
    ("C | Xq", nil, .bar(2, .chordWithoutRoot("Xq"))),
    ("C | G Cfoo", nil, .bar(2, .chord("Cfoo", unknownQuality: "foo"))),
    ("C | V7", nil, .bar(2, .numeralWithoutKey("V7"))),
    ("I | IV Q", "C major", .bar(2, .romanNumeral("Q"))),
    ("C H", nil, .bar(2, .chordWithoutRoot("H"))),
  ])
  func errorsNameTheBar(text: String, key: String?, error: MusicError) {
    #expect(throws: error) { try Self.progression(text, key) }
  }

  @Test func errorsAreReadable() {
    #expect(
      MusicError.bar(3, .numeralWithoutKey("V7")).description
        == "bar 3: 'V7' is a Roman numeral and needs a key; add one, such as 'C major'")
    #expect(
      MusicError.emptyBar(2).description
        == "bar 2 is empty; write its chords, or 'rest' for silence")
  }
}
