import Testing

@testable import Analyzer

@Suite struct ChordNamesTests {
  /// Expected names follow harmony textbooks.
  @Test(arguments: [
    ([60, 64, 67], ["C:maj"]), ([57, 60, 64], ["A:min"]), ([64, 67, 72], ["C:maj/3"]),
    ([67, 72, 76], ["C:maj/5"]), ([59, 62, 65], ["B:dim"]), ([62, 65, 71], ["B:dim/b3"]),
    ([55, 59, 62, 65], ["G:7"]), ([53, 55, 59, 62], ["G:7/b7"]), ([60, 64, 67, 71], ["C:maj7"]),
    ([62, 65, 69, 72], ["D:min7", "F:maj6/6"]), ([53, 57, 60, 62], ["F:maj6", "D:min7/b3"]),
    ([60, 62, 67], ["C:sus2", "G:sus4/4"]), ([60, 65, 67], ["C:sus4", "F:sus2/5"]),
    ([60, 63, 67, 71], ["C:minmaj7"]), ([59, 62, 65, 69], ["B:hdim7", "D:min6/6"]),
    ([60, 64, 67, 70, 74], ["C:9"]), ([60, 64, 67, 71, 74], ["C:maj9"]), ([48, 67], ["C:5"]),
    ([60, 64, 67, 74], ["C:maj(9)"]), ([60, 64], ["C:maj(*5)"]), ([60], ["C:1"]),
    // Four diminished sevenths share their tones; the one rooted on the bass is first.
    ([60, 63, 66, 69], ["C:dim7", "D#:dim7/bb7", "F#:dim7/b5", "A:dim7/b3"]),
    ([60, 64, 68], ["C:aug", "E:aug/#5", "G#:aug/3"]),
    ([60, 61, 62, 63], []), ([], []),
  ]) func theNamesOfNotes(notes: [Int], names: [String]) {
    #expect(ChordNames.of(notes: notes).map(\.description) == names)
  }

  @Test func aForeignBassFollowsASlash() {
    // D major over F natural has no name of its own, so F follows a slash.
    #expect(ChordNames.of(notes: [53, 62, 66, 69]).map(\.description) == ["D:maj/b3"])
    // G major over F has all tones of G7.
    #expect(ChordNames.of(notes: [41, 67, 71, 74]).first?.description == "G:7/b7")
  }

  /// Octave and order don't matter; the lowest note is the bass.
  @Test func octavesDoNotMatter() {
    #expect(ChordNames.of(notes: [88, 48, 67, 60]).map(\.description) == ["C:maj"])
    #expect(
      ChordNames.of(pitchClasses: [0, 4, 7], bass: -8).map(\.description) == ["C:maj/3"])
  }

  /// Every name in the table parses to the tones it stands for.
  @Test func everyNameIsALabelOfItsTones() throws {
    for formula in ChordFormulas.all {
      for bass in 0..<12 {
        let label = ChordNames.label(root: 0, formula, bass: bass)
        let bassTone: UInt16 = 1 << UInt16(bass)
        #expect(label.bassInterval == bass, "\(label)")
        #expect(label.allIntervals == formula.tones | bassTone, "\(label)")
      }
    }
  }
}
