import Effects
import Foundation
import ProcessorConformance
import Testing

@Suite struct EchoTests {
  @Test func keepsTheContract() throws {
    let conformance = ProcessorConformance { try OneChannel(settings(0.05, decayDb: 12)) }
    #expect(try conformance.findings() == [])
  }

  /// Echo `n` comes after `n` times the delay, softer by `n` times the decay.
  @Test(arguments: [(1.0, 6.0), (0.25, 12), (0.7771, 3)])
  func echoesComeWhenAndAsLoudAsStated(seconds: Double, decayDb: Double) throws {
    let output = try Stereo.impulse(count: 160_000).through(settings(seconds, decayDb: decayDb))
    let period = Int((seconds * 48_000).rounded())
    for (i, value) in output.left.enumerated() where value != 0 {
      let (n, rest) = i.quotientAndRemainder(dividingBy: period)
      #expect(rest == 0)
      // 0.001 dB is about 100 roundings in single precision.
      #expect(abs(20 * log10(Double(value)) + Double(n) * decayDb) < 0.001)
    }
    #expect(output.left.count { $0 != 0 } == 159_999 / period)
  }

  @Test func theDefaultTimeIsOneSecond() throws {
    let output = try Stereo.impulse(count: 48_100).through(Echo.Settings())
    #expect(output.left.firstIndex { $0 != 0 } == 48_000)
  }

  @Test func changesDoNotClick() throws {
    for (name, clickDb) in try EffectConduct.clicksDb(settings(0.1, decayDb: 6)) {
      #expect(clickDb < -60, "\(name)")
    }
  }

  @Test func resetEqualsANewEffect() throws {
    #expect(
      try EffectConduct.forgets(settings(0.1, decayDb: 3), movedTo: settings(0.2, decayDb: 9)))
  }

  @Test func tailIsOverWhenStated() throws {
    var dull = settings(0.05, decayDb: 2)
    dull.dampingHz = 400
    #expect(try EffectConduct.levelAfterTailDb(dull) < -60)
  }

  @Test func silenceHasNoSubnormals() throws {
    #expect(try EffectConduct.endsInSilence(settings(0.05, decayDb: 60), seconds: 2))
  }

  private func settings(_ seconds: Double, decayDb: Double) -> Echo.Settings {
    var settings = Echo.Settings()
    (settings.timeSeconds, settings.decayDb, settings.dampingHz) = (seconds, decayDb, 20_000)
    return settings
  }
}
