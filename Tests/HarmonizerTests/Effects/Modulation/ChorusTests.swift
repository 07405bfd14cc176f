import Effects
import Foundation
import ProcessorConformance
import Testing

@Suite struct ChorusTests {
  @Test func keepsTheContract() throws {
    let conformance = ProcessorConformance { try OneChannel(Chorus.Settings()) }
    #expect(try conformance.findings() == [])
  }

  /// The copy's delay follows the stated sine: rate and depth within 0.5 %, and the right channel
  /// ahead of the left by the stated part of the cycle, within 0.002.
  @Test(arguments: [(0.5, 0.25, 0.5), (2.0, 0.1, 1), (5, 0.05, 0.25)])
  func swingIsAsStated(rateHz: Double, depth: Double, spread: Double) throws {
    var settings = Chorus.Settings()
    (settings.rateHz, settings.depth, settings.spread) = (rateHz, depth, spread)
    settings.delayMs = 10
    let output = try Stereo(sine(hz: 1000, amplitude: 0.5, seconds: 8)).through(settings)
    let left = DelayTrack(output.left, fromSeconds: 0.1)
    let right = DelayTrack(output.right, fromSeconds: 0.1)
    #expect(abs(left.rateHz / rateHz - 1) < 0.005)
    #expect(abs(right.rateHz / rateHz - 1) < 0.005)
    let (sineLeft, sineRight) = (left.sine(rateHz: rateHz), right.sine(rateHz: rateHz))
    #expect(abs(sineLeft.amplitude / (480 * depth) - 1) < 0.005)
    let apart = sineRight.turns - sineLeft.turns - spread / 2
    #expect(abs(apart - apart.rounded()) < 0.002)
    // 10 ms are whole cycles of the tone, so the mean delay is 0 modulo a cycle.
    let middle = (left.samples.max()! + left.samples.min()!) / 2 / 48
    #expect(abs(middle - middle.rounded()) * 48 < 0.5)
  }

  /// A chorus of depth 0 is a comb filter: tap `n` at `n` delays, at `feedback^(n - 1)`.
  @Test func feedbackIsAsStated() throws {
    var settings = Chorus.Settings()
    (settings.depth, settings.feedback, settings.delayMs) = (0, -0.7, 5)
    let output = try Stereo.impulse(count: 1300).through(settings)
    for (i, value) in output.left.enumerated() {
      let expected = i > 0 && i % 240 == 0 ? pow(-0.7, Double(i / 240 - 1)) : 0
      #expect(abs(Double(value) - expected) < 1e-6)  // single precision
    }
  }

  @Test func changesDoNotClick() throws {
    for (name, clickDb) in try EffectConduct.clicksDb(Chorus.Settings()) {
      #expect(clickDb < -60, "\(name)")
    }
  }

  @Test func resetEqualsANewEffect() throws {
    var other = Chorus.Settings()
    (other.rateHz, other.delayMs, other.depth) = (3, 25, 0.9)
    (other.feedback, other.spread) = (-0.5, 0.1)
    #expect(try EffectConduct.forgets(Chorus.Settings(), movedTo: other))
  }

  @Test func tailIsOverWhenStated() throws {
    var settings = Chorus.Settings()
    (settings.feedback, settings.depth) = (0.9, 1)
    #expect(try EffectConduct.levelAfterTailDb(settings) < -60)
  }

  @Test func silenceHasNoSubnormals() throws {
    var settings = Chorus.Settings()
    (settings.feedback, settings.delayMs) = (0.6, 2)
    #expect(try EffectConduct.endsInSilence(settings, seconds: 2))
  }

  /// The output is bounded down to the shortest delay that the interpolation can read.
  @Test(arguments: [8000.0, 48_000, 192_000])
  func staysBoundedAtItsLimits(rate: Double) throws {
    var settings = Chorus.Settings()
    (settings.rateHz, settings.delayMs, settings.depth, settings.feedback) = (5, 1, 1, 0.9)
    let output = try Stereo.noise(count: 100_000).through(settings, sampleRateHz: rate)
    #expect(output.left.allSatisfy { abs($0) <= 1.001 })  // 0.1 over 1 - 0.9
  }
}
