import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct CandidateEvidenceTests {
  /// A spectrum of lines of equal power at multiples of 200 Hz, bins 4 Hz wide.
  private func values(ofCandidate hz: Double) -> [Float] {
    var powers = [Float](repeating: 0, count: 1001)
    for number in 1...19 { powers[number * 50] = 1 }
    var evidence = CandidateEvidence(maxCandidates: 1)
    evidence.add(
      CandidateEvidence.Candidate(
        f0Hz: hz, correlation: 0.9, nearCorrelation: 0.8, persistence: 0.7))
    evidence.describe(
      by: RealtimeArray(powers.map { SIMD2($0, $0.squareRoot()) }), hzPerBin: 4, total: 19,
      shareAboveNoise: 1)
    return (0..<CandidateEvidence.valueCount).map { evidence.values[$0] }
  }

  /// Half of the voice's 16 harmonics below 3400 Hz are odd, and nothing lies between them.
  @Test func theVoiceHasAllHarmonics() {
    let found = values(ofCandidate: 200)
    #expect(abs(found[5] - log(0.5)) < 1e-5)
    #expect(found[6] == -10 && found[8] == -10)
    #expect(abs(found[10] - log(16.0 / 19)) < 1e-5)
  }

  /// Twice the period has no odd harmonics; half of it has as many lines between its own.
  @Test func otherOctavesLackOrMissHarmonics() {
    #expect(values(ofCandidate: 100)[5] == -10)
    #expect(abs(values(ofCandidate: 400)[6]) < 1e-5)
    #expect(values(ofCandidate: 200.0 / 3)[7] == -10)
    #expect(abs(values(ofCandidate: 600)[8] - log(2)) < 1e-5)
  }
}
