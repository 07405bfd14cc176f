import Analyzer
import DSP
import Effects
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Subjects
@testable import Sweep

@Suite struct EffectAxisTests {
  private func chains(_ effects: String) throws -> [String] {
    let plan = try Plan.decoded(
      smallPlan.replacing("  windowMs: [10, 20]", with: "  effects: \(effects)\n  windowMs: [10]"))
    return plan.settings.axes.first { $0.name == "effects" }?.values.map(\.description) ?? []
  }

  @Test func aListIsTakenInItsShortestSpelling() throws {
    #expect(
      try chains(#"[dry, "tremolo( rateHz = 5Hz )", tremolo, "tremolo(mix=50%) > tremolo"]"#)
        == ["dry", "tremolo", "tremolo(mix=0.5) > tremolo"])
  }

  @Test func designsAreWrittenOut() throws {
    let of = #""tremolo(rateHz=1)", "tremolo(rateHz=2)", "tremolo(rateHz=3)""#
    func name(_ numbers: Int...) -> String {
      numbers.map { "tremolo(rateHz=\($0))" }.joined(separator: " > ")
    }
    #expect(
      try chains("{of: [\(of)], take: [dry, singles, pairs], chains: [tremolo]}")
        == ["dry", name(1), name(2), name(3)]
        + [name(1, 2), name(1, 3), name(2, 1), name(2, 3), name(3, 1), name(3, 2)] + ["tremolo"])
    // For three effects, all pairs in all places need all six orders.
    #expect(try Set(chains("{of: [\(of)], take: [triples]}")).count == 6)
  }

  @Test func allIsTheCatalogue() throws {
    #expect(try chains("{of: all, take: [singles]}") == EffectCatalog.names)
  }

  @Test(arguments: [
    ("[tremelo]", "did you mean tremolo?"), ("{of: [tremolo], take: [fours]}", "fours"),
    ("{take: [pairs]}", "has no effects"), ("{from: all}", "effects have no 'from'"),
    ("[]", "has no values to try"),
  ])
  func mistakesAreNamed(effects: String, words: String) {
    expectError(words) { try chains(effects) }
  }

  // MARK: Subjects

  private let subject = ThroughEffects(ReferenceSubject())

  private func render(_ effects: String?) throws -> Rendering {
    let signal = Signal.sine(220, amplitude: 0.3, seconds: 0.5)
    let plan = try Plan.decoded(smallPlan)
    let silence = PitchTrack(hopSeconds: 1, f0Hz: [])
    let score = ResolvedScore(plan.scores[0], lead: silence)
    return try subject.render(
      signal, score: score, settings: effects.map { ["effects": .text($0)] } ?? [:])
  }

  @Test func dryIsTheSubjectItself() throws {
    let (plain, dry) = (try render(nil), try render("dry"))
    #expect(plain.mix == dry.mix && plain.stems == dry.stems)
  }

  /// Every sound goes through a fresh chain.
  @Test func mixAndVoicesGoThroughTheChain() throws {
    let (plain, wet) = (try render(nil), try render("tremolo(rateHz=7,depth=1)"))
    func through(_ sound: Signal) throws -> [Float] {
      var rack = try EffectsRack(
        EffectChain(parsing: "tremolo(rateHz=7,depth=1)"), sampleRateHz: sound.sampleRateHz)
      return rack.render(sound.samples)
    }
    #expect(try wet.mix.samples == through(plain.mix))
    #expect(try wet.stems.map(\.samples) == plain.stems.map { try through($0) })
    #expect(wet.reportedLatencyMs == plain.reportedLatencyMs)
  }

  @Test func mistakesAreFoundBeforeAnythingRuns() throws {
    let plan = try Plan.decoded(smallPlan)
    expectError("did you mean rateHz?") {
      try subject.validate(["effects": .text("tremolo(rate=3)")], for: plan.scores[0])
    }
  }
}
