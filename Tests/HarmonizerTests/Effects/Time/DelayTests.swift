import DSP
import Effects
import Foundation
import ProcessorConformance
import TestSupport
import Testing

@Suite struct DelayTests {
  @Test func keepsTheContract() throws {
    // Short, so that the effect of a bad sample is below the last bit a second later.
    let conformance = ProcessorConformance { try OneChannel(settings(timeMs: 20, feedback: 0.3)) }
    #expect(try conformance.findings() == [])
  }

  /// Repetition `n` comes after `n` times the delay at `feedback^(n - 1)`, with nothing between.
  @Test(arguments: [44_100.0, 48_000, 96_000])
  func tapsComeWhenAndAsLoudAsStated(rate: Double) throws {
    let output = try Stereo.impulse(count: Int(rate)).through(
      settings(timeMs: 123.4, feedback: 0.6), sampleRateHz: rate)
    let period = Int((0.1234 * rate).rounded())
    for (i, value) in output.left.enumerated() {
      let (n, rest) = i.quotientAndRemainder(dividingBy: period)
      let expected = n > 0 && rest == 0 ? pow(0.6, Double(n - 1)) : 0
      #expect(abs(Double(value) - expected) < 1e-6, "sample \(i)")  // single precision
    }
    #expect(output.left == output.right)
  }

  /// Each repetition loses 3 dB more at the damping frequency, and nothing at 0 Hz.
  @Test(arguments: [500.0, 3000, 12_000])
  func dampingIsAsStated(hz: Double) throws {
    let output = try Stereo.impulse(count: 48_000).through(
      settings(timeMs: 100, feedback: 0.8, dampingHz: hz))
    for n in 1...4 {
      let tap = output.left[(4800 * n)..<(4800 * (n + 1))].map(Double.init)
      let there = 20 * log10(spectralLine(of: tap, hz: hz).magnitude / pow(0.8, Double(n - 1)))
      let below = 20 * log10(spectralLine(of: tap, hz: 0).magnitude / pow(0.8, Double(n - 1)))
      #expect(abs(there + 3.0103 * Double(n - 1)) < 0.01)
      #expect(abs(below) < 0.01)
    }
  }

  @Test func pingPongGoesFromSideToSide() throws {
    var chosen = settings(timeMs: 10, feedback: 0.5)
    chosen.pingPong = 1
    let output = try Stereo.impulse(count: 2000).through(chosen)
    #expect([output.left[480], output.right[480]] == [1, 0])
    #expect([output.left[960], output.right[960]] == [0, 0.5])
    #expect([output.left[1440], output.right[1440]] == [0.25, 0])
  }

  @Test func changesDoNotClick() throws {
    for (name, clickDb) in try EffectConduct.clicksDb(settings(timeMs: 80, feedback: 0.5)) {
      #expect(clickDb < -60, "\(name)")
    }
  }

  @Test func resetEqualsANewEffect() throws {
    var other = settings(timeMs: 33, feedback: 0.7, dampingHz: 900)
    other.pingPong = 0.4
    #expect(try EffectConduct.forgets(Delay.Settings(), movedTo: other))
  }

  @Test func tailIsOverWhenStated() throws {
    for chosen in [settings(timeMs: 50, feedback: 0.9, dampingHz: 300), settings(feedback: 0)] {
      #expect(try EffectConduct.levelAfterTailDb(chosen) < -60)
    }
  }

  @Test func silenceHasNoSubnormals() throws {
    let chosen = settings(timeMs: 5, feedback: 0.5, dampingHz: 200)
    #expect(try EffectConduct.endsInSilence(chosen, seconds: 3))
  }

  @Test func settingsOutOfRangeAreNamed() {
    #expect(throws: SettingsError.outOfRange(setting: "feedback", value: 1, allowed: 0...0.95)) {
      try settings(feedback: 1).validate()
    }
  }

  private func settings(
    timeMs: Double = 350, feedback: Double = 0.35, dampingHz: Double = 20_000
  ) -> Delay.Settings {
    var settings = Delay.Settings()
    (settings.timeMs, settings.feedback, settings.dampingHz) = (timeMs, feedback, dampingHz)
    return settings
  }
}
