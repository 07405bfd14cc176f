import Testing

@testable import Tuning

@Suite struct FaultTests {
  @Test(arguments: [(1.0, "once"), (2, "2 times"), (2.5, "2.5 times"), (174, "174 times")])
  func clicksAreCounted(value: Double, words: String) {
    let figure = TuneAnswer.Figure(value: value, units: value, recordings: 1, voice: "+4")
    #expect(Fault(.clicks, figure).sentence == "voice +4 clicks \(words)")
  }
}
