import DSP
import Testing

@testable import Singer

@Suite struct SongbookTests {
  @Test func namesAreUniqueAndFitForFiles() {
    let ids = Songbook.entries.map(\.id)
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }) }
  }

  @Test func eightVoicesCoverC2ToC6() throws {
    var keys: Set<Int> = []
    for entry in Songbook.entries {
      let notes = try Songbook.performance(id: entry.id).notes
      keys.formUnion(notes.map { Int($0.pitchSemitones.rounded()) })
    }
    #expect(keys.min() == 36)
    #expect(keys.max() == 84)
    #expect(Set(Songbook.entries.map(\.voice)).count >= 8)
  }

  @Test func everyPhoneIsSung() throws {
    let sung = try Songbook.entries.flatMap { try Songbook.performance(id: $0.id).phones }
    let missing = Set(Phone.allCases).subtracting(sung.map(\.phone)).subtracting([.silence])
    #expect(missing.isEmpty)
  }

  @Test(arguments: Songbook.entries.map(\.id))
  func everyPerformanceSoundsWithoutClipping(id: String) throws {
    let rendering = try Songbook.performance(id: id).render()
    let peak = rendering.signal.samples.lazy.map(abs).max() ?? 0
    #expect(rendering.signal.firstNonFinite == nil)
    #expect(peak < 0.95)
    #expect(peak > 0.02)
  }

  @Test func runsReachTwelveNotesASecond() throws {
    let notes = try Songbook.performance(id: "runs-12-soprano").notes
    #expect(abs(notes[0].durationSeconds - 1.0 / 12) < 1e-9)
  }

  @Test func unknownNamesThrow() {
    #expect(throws: SingerError.unknownPerformance("yodel")) {
      try Songbook.performance(id: "yodel")
    }
  }
}
