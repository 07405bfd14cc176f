import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Corpus
@testable import Subjects

/// Engines of the reference harmonizer as subjects by their own names.
@Suite struct NamedEngineTests {
  private let lead = ScoreSubjectTests.lead

  private func rendering(_ id: String, _ settings: SubjectSettings) throws -> Rendering {
    let score = ResolvedScore(Score(id: "x", intervalsSemitones: [4]), lead: lead.track)
    return try Subjects.subject(id: id).render(lead.signal, score: score, settings: settings)
  }

  @Test(arguments: ["delayline", "psola", "vocoder", "offline"])
  func anEngineSoundsAsTheReferenceWithThatEngine(name: String) throws {
    let own = try rendering(name, [:])
    #expect(own.stems == (try rendering("reference", ["engine": .text(name)])).stems)
    #expect(own.mix == (try rendering("mix:\(name)", [:])).mix)
  }

  @Test func theEnginesSettingsAreItsOwn() throws {
    let engine = try Subjects.subject(id: "delayline")
    let names = try #require(engine.settingNames(beside: [:]))
    #expect(names.contains("windowMs") && names.contains("effects") && !names.contains("engine"))
    let chord = Score(id: "x", intervalsSemitones: [4])
    #expect(throws: Refusal.self) { try engine.validate(["stride": .number(3)], for: chord) }
  }

  @Test func anotherEngineIsRefused() throws {
    #expect(throws: Never.self) { try rendering("psola", ["engine": .text("psola")]) }
    expectError("leave the setting out") { try rendering("psola", ["engine": .text("vocoder")]) }
  }
}
