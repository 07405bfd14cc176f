import Testing

@testable import Singer

@Suite struct PhraseTests {
  @Test func vowelsBeginOnTheBeat() {
    var phrase = Phrase(voice: .alto, beatsPerMinute: 60, leadSeconds: 0.5)
    phrase.sing("A3", "sa")
    phrase.sing("B3", "mi")
    phrase.sing("C4", "a")
    let phones = phrase.performance().phones
    #expect(phones.map(\.phone) == [.s, .a, .m, .i, .a])
    #expect(abs(phones[1].startSeconds - 0.5) < 1e-9)
    #expect(abs(phones[3].startSeconds - 1.5) < 1e-9)
    #expect(abs(phones[4].startSeconds - 2.5) < 1e-9)
    #expect(abs(phones[2].endSeconds - 1.5) < 1e-9)
  }

  @Test func aDashContinuesTheVowel() {
    var phrase = Phrase(voice: .alto, beatsPerMinute: 60, leadSeconds: 0)
    phrase.sing("A3", "la")
    phrase.sing("B3", "-")
    let performance = phrase.performance()
    #expect(performance.notes.count == 2)
    #expect(performance.phones.last?.phone == .a)
    #expect(abs(performance.phones.last!.endSeconds - 2) < 1e-9)
  }

  @Test func aDashAfterARestSingsTheVowelAgain() {
    var phrase = Phrase(voice: .alto, beatsPerMinute: 60, leadSeconds: 0)
    phrase.sing("A3", "la")
    phrase.rest()
    phrase.sing("B3", "-")
    let phones = phrase.performance().phones.suffix(2)
    #expect(phones.map(\.phone) == [.a, .a])
    #expect(phones.map(\.startSeconds) == [0, 2] && phones.map(\.endSeconds) == [1, 3])
  }

  @Test func codasEndWithTheNote() {
    var phrase = Phrase(voice: .alto, beatsPerMinute: 60, leadSeconds: 0)
    phrase.sing("A3", "ais")
    let phones = phrase.performance().phones
    #expect(phones.map(\.phone) == [.a, .i, .s])
    #expect(abs(phones[2].endSeconds - 1) < 1e-9)
  }

  @Test(arguments: [60.0, 200, 700])
  func phonesNeverOverlap(beatsPerMinute: Double) throws {
    var phrase = Phrase(voice: .alto, beatsPerMinute: beatsPerMinute)
    for word in ["sas", "ta", "gim", "ʃuŋ", "pap", "kai"] { phrase.sing("A3", word) }
    phrase.breathe()
    phrase.sing("A3", "sta")
    try phrase.performance().validate()
  }
}
