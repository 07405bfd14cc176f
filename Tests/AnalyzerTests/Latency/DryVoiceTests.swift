import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct DryVoiceTests {
  private static let lead = TestVoice(noiseDb: -25, f0Hz: { 200 + 30 * $0 }).signal()
  private static let wet = TestVoice(f0Hz: { 1.26 * (200 + 30 * $0) }).signal()

  /// A delay in whole samples and a gain are removed down to the other voice's chance resemblance.
  @Test(arguments: [0, 1, 480], [1.0, 0.25])
  func theOtherVoiceRemains(delaySamples: Int, gain: Double) throws {
    let dry = [Float](repeating: 0, count: delaySamples) + Self.lead.samples
    let output = Signal(
      zip(Self.wet.samples, dry).map { $0 + Float(gain) * $1 }, sampleRateHz: 48_000)
    let found = try DryVoice(in: output, from: Self.lead)
    let left = Signal(
      zip(found.rest.samples, Self.wet.samples).map { $0 - $1 }, sampleRateHz: 48_000)
    #expect(left.rms < 0.03 * Self.wet.rms)
  }

  @Test func anOutputWithoutTheInputHasNoDryVoice() {
    let hiss = Signal.noise(count: Self.lead.count, seed: 2)
    #expect(throws: Unmeasurable.self) { try DryVoice(in: hiss, from: Self.lead) }
  }
}
