import Testing

@testable import Singer

@Suite struct VoiceTests {
  @Test func theVoicesSpanC2ToC6WithoutAGap() {
    let voices = Voice.all
    #expect(voices.count >= 8)
    #expect(Set(voices.map(\.name)).count == voices.count)
    #expect(voices.map(\.lowestSemitones).min() == 36)
    #expect(voices.map(\.highestSemitones).max() == 84)
    for key in 36...84 {
      #expect(voices.contains { ($0.lowestSemitones...$0.highestSemitones).contains(Double(key)) })
    }
  }

  @Test func shorterTractsHaveHigherFormants() throws {
    // A tube's resonances are inversely proportional to its length; the table is for 17.5 cm.
    let shape = try #require(Voice.child.shape(of: .e))
    let lengthCm = Voice.child.tractLengthCm
    #expect(abs(shape.frequenciesHz[0] - 480 * 17.5 / lengthCm) < 1e-9)
    #expect(abs(shape.frequenciesHz[1] - 2_090 * 17.5 / lengthCm) < 1e-9)
  }

  @Test func everyPhoneIsOrdered() {
    for phone in Phone.allCases {
      guard let shape = Voice.bass.shape(of: phone) else { continue }
      for lane in 1..<5 {
        #expect(shape.frequenciesHz[lane] > shape.frequenciesHz[lane - 1], "\(phone) F\(lane + 1)")
      }
    }
  }

  @Test func wordsAreSpelledPhoneByPhone() {
    #expect(Phone.spelled("ʃaŋ") == [.sh, .a, .ng])
    #expect(Phone.spelled("qu") == nil)
  }

  @Test func settingsOutOfRangeThrow() {
    var voice = Voice.bass
    voice.tractLengthCm = 30
    #expect(throws: SingerError.outOfRange("tractLengthCm", 30, 10...20)) { try voice.validate() }
    #expect(
      SingerError.outOfRange("tractLengthCm", 30, 10...20).description
        == "tractLengthCm is 30.0; choose 10.0 to 20.0")
  }
}
