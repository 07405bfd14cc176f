import Effects
import Foundation
import Testing

@Suite struct TremoloTests {
  @Test func keepsTheContract() throws {
    #expect(try EffectContract(Tremolo.Settings()).findings() == [])
  }

  /// The gain is 1 - depth (0.5 - 0.5 cos).
  @Test func gainIsARaisedCosine() throws {
    var settings = Tremolo.Settings()
    (settings.rateHz, settings.depth) = (4, 0.8)
    let gain = try StereoRun(settings).render([Float](repeating: 1, count: 48_000))
    for (sample, expected) in [(0, 1.0), (3000, 0.6), (6000, 0.2), (9000, 0.6), (12_000, 1)] {
      // The rounding of a sample.
      #expect(abs(Double(gain[sample]) - expected) < 1e-6)
    }
  }

  @Test(arguments: [0.1, 5, 20])
  func rateIsAsStated(rateHz: Double) throws {
    var settings = Tremolo.Settings()
    settings.rateHz = rateHz
    let output = try StereoRun(settings).render(sine(hz: 1000, seconds: rateHz < 1 ? 20 : 4))
    // The project's limit is 0.5 %; the phase is kept in double precision.
    #expect(abs(PowerEnvelope(output).rateHz(near: rateHz) / rateHz - 1) < 0.000_1)
  }

  @Test func depthZeroIsTheInputToTheBit() throws {
    var settings = Tremolo.Settings()
    settings.depth = 0
    let sound = noise(seconds: 1)
    #expect(try StereoRun(settings).render(sound) == sound)
  }

  @Test func changesMakeNoClicks() throws {
    for change in try ChangeNoise(Tremolo.Settings()).worst() {
      #expect(max(change.sweptDb, change.thrownDb) < -60, "\(change)")
    }
  }
}
