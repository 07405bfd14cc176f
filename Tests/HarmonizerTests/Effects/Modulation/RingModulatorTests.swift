import Effects
import Foundation
import Testing

@Suite struct RingModulatorTests {
  @Test func keepsTheContract() throws {
    #expect(try EffectContract(RingModulator.Settings()).findings() == [])
  }

  /// The output is sin a sin b = (cos(a - b) - cos(a + b)) / 2: sum and difference frequencies at
  /// half the level, without the tone and the carrier.
  @Test(arguments: [60.0, 700, 5000])
  func splitsATone(frequencyHz: Double) throws {
    var settings = RingModulator.Settings()
    settings.frequencyHz = frequencyHz
    let output = try StereoRun(settings).render(sine(hz: 1000, seconds: 1))
    func level(_ hz: Double) -> Double { PowerEnvelope.amplitude(output, toneHz: hz) }
    // A second contains whole cycles of all of them; only the rounding of samples is left.
    #expect(abs(level(1000 + frequencyHz) - 0.5) < 1e-5)
    #expect(abs(level(abs(1000 - frequencyHz)) - 0.5) < 1e-5)
    #expect(level(1000) < 1e-6)
    #expect(level(frequencyHz) < 1e-6)
  }

  /// A constant input gives the carrier itself, starting at its zero.
  @Test func carrierKeepsItsFrequency() throws {
    var settings = RingModulator.Settings()
    settings.frequencyHz = 333.3
    let carrier = try StereoRun(settings).render([Float](repeating: 1, count: 480_000))
    let expected = sine(hz: 333.3, seconds: 10)
    let error = zip(carrier, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
    // After 3333 cycles, 480,000 additions, the phase is accurate to 1e-10 cycles.
    #expect(error < 1e-6)
  }

  /// A carrier that jumps between 100 and 200 Hz has its lines 100 to 200 Hz from the tone; beyond
  /// 600 Hz there is nothing.
  @Test func changesMakeNoClicks() throws {
    let change = ChangeNoise<RingModulator.Settings>(toneHz: 5000, guardHz: 600)
    let stray = try change.levelDb { time in
      var settings = RingModulator.Settings()
      settings.frequencyHz = Int(time * 8) % 2 == 0 ? 100 : 200
      return settings
    }
    #expect(stray < -60)
  }
}
