import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct SpectralEnvelopeTests {
  private func envelope(_ levelDb: (Double) -> Double) -> SpectralEnvelope {
    SpectralEnvelope(
      levelsDb: (0...400).map { levelDb(Double($0) * 20) }, stepHz: 20, lowestHz: 100,
      highestHz: 7000)
  }

  /// The root mean square of a 3 dB ripple is 3 / √2 over whole periods.
  @Test func distanceIsTheRootMeanSquare() throws {
    let flat = envelope { _ in -20 }
    let rippled = envelope { -14 + 3 * sin(2 * .pi * $0 / 1000) }
    let shape = try #require(flat.distanceDb(to: rippled, over: 1000...5000))
    #expect(abs(shape - 3 / 2.0.squareRoot()) < 0.02)  // steps of 20 Hz in 1000
    let all = try #require(flat.distanceDb(to: rippled, over: 1000...5000, ignoringGain: false))
    #expect(abs(all - (36 + 4.5).squareRoot()) < 0.02)
    #expect(flat.distanceDb(to: flat, over: 0...8000) == 0)
  }

  @Test func onlyTheCommonRangeIsCompared() {
    let flat = envelope { _ in 0 }
    let stepped = envelope { $0 > 7010 ? 60 : 0 }
    #expect(flat.distanceDb(to: stepped, over: 0...8000) == 0)
    #expect(flat.distanceDb(to: stepped, over: 7000...8000) == nil)
  }

  @Test func levelsBetweenStepsLieOnALine() {
    let slope = envelope { $0 / 100 }
    #expect(abs(slope.levelDb(atHz: 1230) - 12.3) < 1e-9)
    #expect(slope.levelDb(atHz: 9000) == 80)
    #expect(slope.levelDb(atHz: -5) == 0)
  }

  /// Without regularization a series passes through its points; with strong regularization it is
  /// flat.
  @Test func regularizationFlattensTheCosineSeries() throws {
    let hz = (1...20).map { Double($0) * 380 }
    let levels = hz.map { 5 * cos(.pi * 3 * $0 / 8000) - 2 * cos(.pi * 7 * $0 / 8000) }
    let weights = hz.map { _ in 100.0 }
    func series(_ roughnessDb: Double) -> DiscreteCepstrum? {
      DiscreteCepstrum(
        hz: hz, levelsDb: levels, weights: weights, ceilingHz: 8000, order: 12,
        roughnessDb: roughnessDb)
    }
    let free = try #require(series(1000))
    #expect(abs(free.coefficients[3] - 5) < 0.01)
    #expect(abs(free.coefficients[7] + 2) < 0.01)
    let held = try #require(series(1e-4))
    #expect(held.coefficients.dropFirst().allSatisfy { abs($0) < 0.01 })
  }
}
