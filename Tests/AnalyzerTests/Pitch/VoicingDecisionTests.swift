import Testing

@testable import Analyzer

@Suite struct VoicingDecisionTests {
  private let voice = 8.0
  private let hiss = -8.0

  private func probabilities(_ logOdds: [Double], hop: Double = 0.010) -> [Double] {
    VoicingDecision.probabilities(logOdds: logOdds, hopSeconds: hop)
  }

  @Test func voiceAndHissAreDistinguished() {
    let found = probabilities(
      Array(repeating: hiss, count: 20) + Array(repeating: voice, count: 20))
    #expect(found.prefix(20).allSatisfy { $0 < 0.5 } && found.suffix(20).allSatisfy { $0 > 0.5 })
    #expect(found.prefix(15).allSatisfy { $0 < 0.1 } && found.suffix(15).allSatisfy { $0 > 0.9 })
  }

  /// A doubtful frame is more likely voiced between voiced neighbours.
  @Test func neighboursAffectTheVoicingOfAFrame() {
    func middle(between neighbour: Double) -> Double {
      let side = Array(repeating: neighbour, count: 10)
      return probabilities(side + [0] + side)[10]
    }
    #expect(middle(between: voice) > middle(between: hiss) + 0.3)
  }

  /// Twice as many frames of half the length say the same, but for the half frame at each change.
  @Test func theHopHardlyMatters() {
    let coarse = [hiss, hiss, hiss, voice, voice, voice, voice, hiss, hiss]
    let fine = probabilities(coarse.flatMap { [$0, $0] }, hop: 0.005)
    for (i, value) in probabilities(coarse).enumerated() {
      #expect(abs((fine[2 * i] + fine[2 * i + 1]) / 2 - value) < 0.1)
    }
  }

  /// The result of the chain is symmetric in time.
  @Test func timeReversalChangesNothing() {
    let odds = [hiss, hiss, voice, hiss, voice, voice, voice]
    let (ahead, back) = (probabilities(odds), probabilities(odds.reversed()))
    for (a, b) in zip(ahead, back.reversed()) { #expect(abs(a - b) < 1e-9) }
  }

  @Test func emptyAndExtremeEvidenceHasAResult() {
    #expect(probabilities([]) == [])
    let found = probabilities(Array(repeating: 1000, count: 1000), hop: 0.001)
    #expect(found.allSatisfy { $0 > 0.95 && $0 <= 1 })
  }
}
