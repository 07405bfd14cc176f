import Effects
import Foundation
import Testing

@Suite struct RingModulatorTests {
  @Test func keepsTheContract() throws {
    #expect(try EffectContract(RingModulator.Settings()).findings() == [])
  }

  /// sin a sin b = (cos(a - b) - cos(a + b)) / 2: sum and difference at half the level, and of the
  /// tone and the carrier nothing.
  @Test(arguments: [60.0, 700, 5000])
  func splitsATone(frequencyHz: Double) throws {
    var settings = RingModulator.Settings()
    settings.frequencyHz = frequencyHz
    let output = try StereoRun(settings).render(tone(1000, seconds: 1))
    func level(_ hz: Double) -> Double { Envelope.amplitude(output, toneHz: hz) }
    // A second holds whole cycles of all of them; what is left is the rounding of samples.
    #expect(abs(level(1000 + frequencyHz) - 0.5) < 1e-5)
    #expect(abs(level(abs(1000 - frequencyHz)) - 0.5) < 1e-5)
    #expect(level(1000) < 1e-6)
    #expect(level(frequencyHz) < 1e-6)
  }

  /// The carrier itself, from its zero on: what comes of a constant.
  @Test func carrierKeepsItsFrequency() throws {
    var settings = RingModulator.Settings()
    settings.frequencyHz = 333.3
    let carrier = try StereoRun(settings).render([Float](repeating: 1, count: 480_000))
    let expected = tone(333.3, seconds: 10)
    let error = zip(carrier, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
    // After 3333 cycles of 480 000 additions the place is right to 1e-10 of a turn.
    #expect(error < 1e-6)
  }

  /// A carrier that is thrown from 100 to 200 Hz is heard between 100 and 200 Hz from the tone; past
  /// 600 Hz from it nothing is.
  @Test func turningItMakesNoClick() throws {
    let change = ChangeNoise<RingModulator.Settings>(toneHz: 5000, guardHz: 600)
    let stray = try change.levelDb { time in
      var settings = RingModulator.Settings()
      settings.frequencyHz = Int(time * 8) % 2 == 0 ? 100 : 200
      return settings
    }
    #expect(stray < -60)
  }
}
