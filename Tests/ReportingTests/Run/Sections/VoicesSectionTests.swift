import Foundation
import Subjects
import Sweep
import Testing

@testable import Reporting

@Suite struct VoicesSectionTests {
  /// The store holds the trace of a voice; a score without voices has no name for it.
  @Test func aVoiceThatTheScoreLacksIsNotDrawn() async throws {
    let small = try await SmallRun(listening: true)
    let facts = try RunFacts(small.run, in: small.store, corpus: small.corpus, command: "")
    var cell = try #require(small.run.cells.first { $0.recording == "vowel" })
    let drawn = try VoicesSection(facts: facts).lanes(cell)
    #expect(drawn != nil)
    cell.score = Score(id: "none", intervalsSemitones: [])
    let left = try VoicesSection(facts: facts).lanes(cell)
    #expect(left == nil)
  }
}
