import Subjects
import Testing

@testable import Tuning

@Suite struct FaultTests {
  /// Four clicks are one step.
  @Test(arguments: [(4.0, "4 times"), (4.5, "4.5 times"), (174, "174 times")])
  func clicksAreCounted(value: Double, words: String) throws {
    let fault = try #require(Fault(.clicks, TuneFigure(value: value, voice: "+4"), TuneGoal(), []))
    #expect(fault.sentence == "voice +4 clicks \(words)")
  }

  /// An octave moves the pitch by 100 %, a fifth by 49.8, a fourth down by 25.1.
  @Test(arguments: [
    (
      "+12", 102.0,
      "voice +12 sounds like a smaller singer: its formants move with its pitch, by 102 %"
    ),
    ("-5", 25, "voice -5 sounds like a larger singer: its formants move with its pitch, by 25 %"),
    ("+12", 20, "the formants of voice +12 are 20 % off"),
    ("voice 1", 50, "the formants of voice 1 are 50 % off"),
  ])
  func formantsThatFollowThePitchAreCalledSo(voice: String, value: Double, words: String) throws {
    let fault = try #require(
      Fault(.formants, TuneFigure(value: value, voice: voice), TuneGoal(), []))
    #expect(fault.sentence == words)
  }

  @Test func aFaultBelowItsThresholdIsNotHeard() {
    #expect(Fault(.pitch, TuneFigure(value: 9), TuneGoal(), []) == nil)
    #expect(
      Fault(.pitch, TuneFigure(value: 10, column: 1), TuneGoal(), ["a", "b"])?.sentence
        == "the sound is out of tune by 10 cents (b)")
  }
}
