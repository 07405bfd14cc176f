import Effects
import Foundation
import Testing

@Suite struct ADSRTests {
  private let ones = [Float](repeating: 1, count: 96_000)

  @Test func keepsTheContract() throws {
    #expect(try EffectContract(ADSR.Settings()).findings() == [])
    var settings = ADSR.Settings()
    (settings.trigger, settings.pressed) = ("key", true)
    #expect(try EffectContract(settings).findings() == [])
  }

  /// Times of a linear attack of 20 ms, a decay to 0.5 by 60 dB in 200 ms, a release by 60 dB in
  /// 100 ms.
  @Test func aKeyPlaysANote() throws {
    var settings = ADSR.Settings()
    (settings.attackMs, settings.decayMs, settings.sustain) = (20, 200, 0.5)
    (settings.releaseMs, settings.trigger) = (100, "key")
    let gain = try StereoRun(settings).render(ones) { link, start in
      guard start == 4864 || start == 48_000 else { return }
      settings.pressed = start == 4864
      link.apply(settings)
    }
    #expect(gain[..<4864].allSatisfy { $0 == 0 })
    // 20 ms are 960 samples, each a step of 0.001.
    #expect(abs(gain[4864 + 479] - 0.5) < 0.002)
    #expect(abs(gain[4864 + 959] - 1) < 0.002)
    // Halfway through a decay of 60 dB it has decayed by 30: 0.5 + 0.5 · 0.0316.
    #expect(abs(gain[4864 + 960 + 4800] - 0.5158) < 0.0002)
    #expect(abs(gain[4864 + 960 + 9600] - 0.5005) < 0.0001)
    #expect(gain[47_999] == 0.5)
    let halfway = decibels(Double(gain[48_000 + 2399] / 0.5))
    #expect(abs(halfway + 30) < 0.05)
    let end = decibels(Double(gain[48_000 + 4799] / 0.5))
    #expect(abs(end + 60) < 0.05)
    // At 1e-6, after 0.19 s, it is cut to zero.
    #expect(gain[48_000 + 9600] == 0)
  }

  /// The level trigger opens at the first sample at the threshold and closes 25 ms after the last
  /// one within 6 dB of it.
  @Test func aLevelPlaysANote() throws {
    var settings = ADSR.Settings()
    (settings.attackMs, settings.sustain, settings.releaseMs) = (1, 1, 10)
    settings.thresholdDb = -20
    var sound = [Float](repeating: 0.0999, count: 24_000)  // under the threshold of 0.1
    sound[5000] = 0.1001
    for i in 10_000..<sound.count { sound[i] = 0.0501 }  // within 6 dB of it: 0.0501
    for i in 15_000..<sound.count { sound[i] = 0.0499 }
    let output = try StereoRun(settings).render(sound)
    let gain = zip(output, sound).map { $0 / $1 }
    #expect(gain[..<5000].allSatisfy { $0 == 0 })
    #expect(gain[5000] > 0)
    // 1 ms are 48 samples.
    #expect(gain[5048..<16_200].allSatisfy { abs($0 - 1) < 1e-6 })
    #expect(gain[16_201] < 1)
    #expect(gain[16_201 + 960] < 1e-5)
  }

  @Test func changesMakeNoClicks() throws {
    var settings = ADSR.Settings()
    // An attack has a corner at either end; those of 10 ms are at -57 dB 400 Hz away.
    settings.attackMs = 30
    for trigger in ["level", "key"] {
      (settings.trigger, settings.pressed) = (trigger, trigger == "key")
      for change in try ChangeNoise(settings).worst() {
        #expect(max(change.sweptDb, change.thrownDb) < -60, "\(change)")
      }
    }
  }
}
