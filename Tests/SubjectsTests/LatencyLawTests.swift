import Corpus
import Platform
import Testing

@testable import Subjects

@Suite struct LatencyLawTests {
  private let score = Score(id: "third", intervalsSemitones: [4])

  /// An engine has one law, by its own name and as a setting of the reference.
  @Test(arguments: ["delayline", "psola", "vocoder"])
  func anEngineHasItsLawByEitherName(engine: String) throws {
    let own = try LatencyLaw(subject: engine, settings: [:])
    let chosen = try LatencyLaw(subject: "reference", settings: ["engine": .text(engine)])
    for noteHz in [110.0, 440] {
      #expect(
        try own.predictedMs(score: score, noteHz: noteHz)
          == chosen.predictedMs(score: score, noteHz: noteHz))
    }
    #expect(own.followsTheNote == (engine == "psola"))
  }

  @Test func othersHaveNone() {
    #expect(throws: Refusal.self) { try LatencyLaw(subject: "mine", settings: [:]) }
    #expect(throws: Refusal.self) { try LatencyLaw(subject: "offline", settings: [:]) }
  }
}
