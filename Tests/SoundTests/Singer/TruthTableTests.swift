import Testing

@testable import Singer

@Suite struct TruthTableTests {
  @Test func rowsComeEveryHop() throws {
    let table = try held(semitones: 57, seconds: 1).withoutNoise().render().truth.f0Table(hopMs: 10)
    #expect(table.header == ["time_s", "f0_hz", "voicing"])
    #expect(table.rows.count == 110)  // 1.1 s from time 0, including the decay
    #expect(table.rows[50] == ["0.500000", "220.0000", "1"])
    #expect(table.rows[109] == ["1.090000", "0.0000", "0"])
  }

  @Test func formantsAreThoseOfTheVoice() throws {
    let table = try held(.a, voice: .folkTenor).render().truth.formantTable()
    #expect(table.header.count == 11)
    // 730 Hz in 17.5 cm is 751.471 Hz in 17.0 cm.
    #expect(table.rows[100][1] == "751.471")
  }

  @Test func separatorsAreQuoted() {
    let table = TruthTable(header: ["lyric"], rows: [["la, \"la\""], ["la\r\n"]])
    #expect(table.csv == "lyric\n\"la, \"\"la\"\"\"\n\"la\r\n\"\n")
  }

  @Test func notesAndPhonesHaveARowEach() throws {
    let truth = try phrase().render().truth
    #expect(truth.noteTable().rows.count == 6)
    #expect(truth.phoneTable().rows[0][2] == "s")
    let csv = truth.noteTable().csv
    #expect(csv.hasPrefix("onset_s,offset_s,f0_hz,lyric\n0.300000,0.800000,220.0000,sa\n"))
  }
}
