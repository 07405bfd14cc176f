import Testing

@testable import Singer

@Suite struct PitchTests {
  @Test(arguments: [
    ("A4", 69, 440), ("C2", 36, 65.406), ("C6", 84, 1046.502), ("Bb2", 46, 116.541),
  ])
  func namesNumbersAndFrequenciesAgree(name: String, number: Double, hz: Double) throws {
    #expect(Pitch.semitones(named: name) == number)
    #expect(abs(Pitch.hz(number) - hz) < 0.001)  // the expected values have three decimals
    #expect(abs(Pitch.semitones(hz: hz) - number) < 0.0002)
  }

  @Test func namesSurviveAndOthersGiveNil() {
    for key in 24...96 { #expect(Pitch.semitones(named: Pitch.name(Double(key))) == Double(key)) }
    for name in ["", "H4", "C", "4", "C#", "c4", "C4x"] {
      #expect(Pitch.semitones(named: name) == nil)
    }
  }
}
