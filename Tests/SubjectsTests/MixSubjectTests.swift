import EvaluationSupport
import Foundation
import Platform
import Testing

@testable import Corpus
@testable import Subjects

/// Subjects of which only the mix is judged.
@Suite struct MixSubjectTests {
  private let lead = ScoreSubjectTests.lead

  private func renderings(_ yaml: String) throws -> (whole: Rendering, mix: Rendering) {
    let score = ResolvedScore(try score(yaml), lead: lead.track)
    func render(_ id: String) throws -> Rendering {
      try Subjects.subject(id: id).render(
        lead.signal, score: score, settings: ["engine": .text("delayline")])
    }
    return (try render("reference"), try render("mix:reference"))
  }

  @Test func onlyTheMixIsGiven() throws {
    let (whole, mix) = try renderings("id: x\nintervalsSemitones: [4, -5]")
    #expect(whole.stems.count == 2)
    #expect(mix.stems.isEmpty)
    #expect(mix.mix == whole.mix)
  }

  @Test func theMixOfOneVoiceIsItsStem() throws {
    let (whole, mix) = try renderings("id: x\nintervalsSemitones: [4]")
    #expect(mix.stems == [whole.mix])
  }

  /// It takes what its source takes, under another id and with the source's version.
  @Test func settingsAndVersionAreTheSources() throws {
    let (source, mix) = (
      try Subjects.subject(id: "reference"), try Subjects.subject(id: "mix:reference")
    )
    #expect(mix.id == "mix:reference" && mix.version == source.version)
    #expect(mix.settingNames(beside: [:]) == source.settingNames(beside: [:]))
    let chord = Score(id: "x", intervalsSemitones: [4])
    #expect(throws: Refusal.self) {
      try mix.validate(["stride": .number(3)], for: chord)
    }
  }

  @Test func anUnknownSourceIsNamed() {
    expectError("nobody: there is no such subject") { try Subjects.subject(id: "mix:nobody") }
  }
}
