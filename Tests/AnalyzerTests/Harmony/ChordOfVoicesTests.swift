import Analyzer
import DSP
import KnownSounds
import Testing

@Suite struct ChordOfVoicesTests {
  /// Four of 28 mixes that were not used for tuning; docs/reference/analyzer.md gives the share
  /// named correctly.
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
