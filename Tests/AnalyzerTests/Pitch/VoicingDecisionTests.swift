import Testing

@testable import Analyzer

@Suite struct VoicingDecisionTests {
  private let voice = VoicingEvidence(
    correlation: 0.97, nearCorrelation: 0.97, persistence: 0.9, refined: 0.98, levelDb: -3,
    fallDb: 0, shareAboveNoise: 1)
  private let hiss = VoicingEvidence(
    correlation: 0.3, nearCorrelation: 0.4, persistence: 0.2, refined: 0.4, levelDb: -3, fallDb: -1,
    shareAboveNoise: 1)

  private func probabilities(_ evidence: [VoicingEvidence], hop: Double = 0.010) -> [Double] {
    VoicingDecision.probabilities(evidence, hopSeconds: hop)
  }

  @Test func voiceAndHissAreDistinguished() {
    let found = probabilities(
      Array(repeating: hiss, count: 20) + Array(repeating: voice, count: 20))
    #expect(found.prefix(18).allSatisfy { $0 < 0.4 })
    #expect(found.suffix(18).allSatisfy { $0 > 0.9 })
  }

  /// A doubtful frame is more likely voiced between voiced neighbours.
  @Test func neighboursAffectTheVoicingOfAFrame() {
    var doubt = voice
    (doubt.correlation, doubt.nearCorrelation, doubt.refined) = (0.6, 0.6, 0.7)
    let amidVoice =
      Array(repeating: voice, count: 10) + [doubt] + Array(repeating: voice, count: 10)
    let amidHiss = Array(repeating: hiss, count: 10) + [doubt] + Array(repeating: hiss, count: 10)
    #expect(probabilities(amidVoice)[10] > probabilities(amidHiss)[10] + 0.3)
  }

  /// A note far below the loudest is a voice if it repeats exactly, and an echo if it fades.
  @Test func aSoftNoteIsVoicedAndATailIsNot() {
    var soft = VoicingEvidence(
      correlation: 0.995, nearCorrelation: 0.95, persistence: 0.95, refined: 0.995, levelDb: -38,
      fallDb: 0, shareAboveNoise: 1)
    #expect(probabilities(Array(repeating: soft, count: 20)).allSatisfy { $0 > 0.8 })
    soft.fallDb = -12
    #expect(probabilities(Array(repeating: soft, count: 20)).allSatisfy { $0 < 0.4 })
  }

  /// The result of the chain is symmetric in time.
  @Test func timeReversalChangesNothing() {
    let evidence = [hiss, hiss, voice, hiss, voice, voice, voice]
    let (ahead, back) = (probabilities(evidence), probabilities(evidence.reversed()))
    for (a, b) in zip(ahead, back.reversed()) { #expect(abs(a - b) < 1e-9) }
  }

  @Test func emptyAndExtremeEvidenceHasAResult() {
    #expect(probabilities([]) == [])
    let certain = VoicingEvidence(
      correlation: 1, nearCorrelation: 1, persistence: 1, refined: 1, levelDb: 0, fallDb: 0,
      shareAboveNoise: 0)
    let found = probabilities(Array(repeating: certain, count: 1000), hop: 0.001)
    #expect(found.allSatisfy { $0 > 0.95 && $0 <= 1 })
  }
}
