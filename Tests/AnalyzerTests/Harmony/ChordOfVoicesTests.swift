import Analyzer
import DSP
import KnownSounds
import Testing

@Suite struct ChordOfVoicesTests {
  /// Of 28 such mixes that nothing was chosen on, docs/analyzer.md says how many are named right.
  @Test func plainTriadsAreNamed() throws {
    var right = 0
    for number in [0, 1, 7, 8] {
      let (signal, label) = try ChordOfVoices.mix(number, seed: 3)
      let found = try ChordListener().chord(of: signal).chord
      right += ChordRule.triads.agree(try ChordLabel(label), found) == true ? 1 : 0
    }
    #expect(right >= 3)
  }
}
