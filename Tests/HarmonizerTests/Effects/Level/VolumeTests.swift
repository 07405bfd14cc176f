import Effects
import Testing

@Suite struct VolumeTests {
  @Test func keepsTheContract() throws {
    #expect(try EffectContract(Volume.Settings()).findings() == [])
  }

  @Test func zeroDecibelsAreTheInputToTheBit() throws {
    let sound = noise(seconds: 1)
    #expect(try StereoRun(Volume.Settings()).render(sound) == sound)
  }

  @Test(arguments: [(-96, 1.584_893e-5), (-20, 0.1), (-6, 0.501_187_2), (24, 15.848_93)])
  func gainIsAsStated(levelDb: Double, ratio: Double) throws {
    var settings = Volume.Settings()
    settings.levelDb = levelDb
    let output = try StereoRun(settings).render([0.5, -0.25])
    // The rounding of a sample and of the expected values' seven digits.
    #expect(abs(Double(output[0]) / (0.5 * ratio) - 1) < 3e-7)
    #expect(abs(Double(output[1]) / (-0.25 * ratio) - 1) < 3e-7)
  }

  @Test func muteIsSilence() throws {
    var settings = Volume.Settings()
    settings.mute = true
    #expect(try StereoRun(settings).render(noise(seconds: 0.1)).allSatisfy { $0 == 0 })
  }

  /// A fade of 100 ms is linear over 4800 samples.
  @Test func aChangeTakesTheStatedTime() throws {
    var settings = Volume.Settings()
    settings.smoothingMs = 100
    let ones = [Float](repeating: 1, count: 9600)
    let output = try StereoRun(settings).render(ones) { link, start in
      settings.mute = true
      if start == 1280 { link.apply(settings) }
    }
    #expect(output[1279] == 1)
    // 2400 additions in single precision.
    #expect(abs(output[1280 + 2399] - 0.5) < 1e-4)
    #expect(output[1280 + 4798] > 0)
    #expect(output[1280 + 4799] == 0)
  }

  @Test func changesMakeNoClicks() throws {
    for change in try ChangeNoise(Volume.Settings()).worst() {
      #expect(max(change.sweptDb, change.thrownDb) < -60, "\(change)")
    }
  }
}
