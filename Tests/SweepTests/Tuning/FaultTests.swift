import Testing

@testable import Tuning

@Suite struct FaultTests {
  /// Four clicks are one step.
  @Test(arguments: [(4.0, "4 times"), (4.5, "4.5 times"), (174, "174 times")])
  func clicksAreCounted(value: Double, words: String) throws {
    let fault = try #require(
      Fault(.clicks, TuneFigure(value: value, voice: "+4"), TuneGoal(), []))
    #expect(fault.sentence == "voice +4 clicks \(words)")
  }

  @Test func aFaultBelowItsThresholdIsNotHeard() {
    #expect(Fault(.pitch, TuneFigure(value: 9), TuneGoal(), []) == nil)
    #expect(
      Fault(.pitch, TuneFigure(value: 10, column: 1), TuneGoal(), ["a", "b"])?.sentence
        == "the sound is out of tune by 10 cents (b)")
  }
}
