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

  /// White noise through one resonance has a peak there.
  @Test func noiseHasAnEnvelope() throws {
    var random = SeededGenerator(seed: 3)
    var (past, older) = (0.0, 0.0)
    let radius = exp(-Double.pi * 200 / 16_000)
    let samples = (0..<16_000).map { _ in
      let next = random.uniform() - 0.5 + 2 * radius * cos(2 * .pi * 3000 / 16_000) * past
      (past, older) = (next - radius * radius * older, past)
      return Float(0.1 * past)
    }
    let signal = Signal(samples, sampleRateHz: 16_000)
    let envelope = SpectralEnvelope(ofNoise: signal, fromSeconds: 0.1, toSeconds: 0.9)
    let found = try #require(envelope)
    let peak = (50...790).max { found.levelsDb[$0] < found.levelsDb[$1] }!
    #expect(abs(Double(peak) * 10 - 3000) < 60)  // a third of the bandwidth
    #expect(SpectralEnvelope(ofNoise: signal, fromSeconds: 0.9, toSeconds: 1.1) == nil)
    let silence = Signal([Float](repeating: 0, count: 16_000), sampleRateHz: 16_000)
    #expect(SpectralEnvelope(ofNoise: silence, fromSeconds: 0, toSeconds: 1) == nil)
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
