import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct PitchTrackerTests {
  private func errors(_ track: PitchTrack, _ voice: TestVoice) -> [Double] {
    (0..<track.count).compactMap { i in
      let time = Double(i) * track.hopSeconds
      guard time > 0.05, time < voice.seconds - 0.05 else { return nil }
      return track.f0Hz[i] > 0 ? abs(cents(track.f0Hz[i], over: voice.f0Hz(time))) : 9999
    }.sorted()
  }

  @Test(arguments: [62.0, 82.4, 110, 196, 329.6, 523.3, 880, 1150])
  func steadyVoicesAreReadToTheCent(hz: Double) throws {
    let voice = TestVoice { _ in hz }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    // A lag of 28 samples, at 1150 Hz, is read by a parabola to two thousandths of a sample.
    #expect(found[found.count / 2] < 0.15)
    #expect(found.last! < 1)
  }

  /// ±60 cents at 5.5 Hz. What is left is the curvature over four periods, at least 24 ms:
  /// 60 * (2π 5.5)² / 2 * s² cents with s² = 0.06 of the stretch squared.
  @Test(arguments: [98.0, 220, 440])
  func vibratoIsFollowed(hz: Double) throws {
    let voice = TestVoice { hz * exp2(0.05 * sin(2 * .pi * 5.5 * $0)) }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    let stretch = max(4 / hz, 0.024)
    let curvature = 60 * pow(2 * .pi * 5.5, 2) / 2 * 0.06 * stretch * stretch
    #expect(found[found.count / 2] < curvature + 0.3)
    #expect(found[found.count * 95 / 100] < 2 * curvature + 1)
  }

  @Test func aGlideOfAnOctaveIsFollowed() throws {
    let voice = TestVoice { 150 * exp2($0) }
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count / 2] < 0.3)
    #expect(found.last! < 5)
  }

  @Test(arguments: [8_000.0, 16_000, 44_100, 96_000])
  func anyRateWillDo(rateHz: Double) throws {
    var voice = TestVoice { _ in 233.3 }
    voice.sampleRateHz = rateHz
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count / 2] < 0.2)
  }

  @Test func noiseTwentyDecibelsDownChangesLittle() throws {
    var voice = TestVoice { _ in 160 }
    voice.noiseDb = -20
    let found = errors(try PitchTracker().track(voice.signal()), voice)
    #expect(found[found.count * 95 / 100] < 15)
  }

  @Test func silenceAndNoiseHaveNoPitch() throws {
    let silence = Signal([Float](repeating: 0, count: 24_000), sampleRateHz: 48_000)
    #expect(try PitchTracker().track(silence).voicedShare == 0)
    var random = SeededGenerator(seed: 1)
    let hiss = Signal(
      (0..<48_000).map { _ in Float(random.uniform() - 0.5) }, sampleRateHz: 48_000)
    #expect(try PitchTracker().track(hiss).voicedShare < 0.05)
  }

  @Test func aVoiceBetweenSilencesIsFoundWhereItIs() throws {
    let sung = TestVoice { _ in 220 }.signal().samples
    let rest = [Float](repeating: 0, count: 24_000)
    let track = try PitchTracker().track(Signal(rest + sung + rest, sampleRateHz: 48_000))
    let voiced = track.f0Hz.indices.filter { track.f0Hz[$0] > 0 }
    // Half a window of 50 ms either side of the edge may go either way.
    #expect(abs(Double(voiced.first!) * 0.005 - 0.5) < 0.026)
    #expect(abs(Double(voiced.last!) * 0.005 - 1.5) < 0.026)
  }

  @Test(arguments: [0, 1, 5, 300])
  func scrapsOfSoundAreAnswered(count: Int) throws {
    let scrap = Signal([Float](repeating: 0.5, count: count), sampleRateHz: 48_000)
    let track = try PitchTracker().track(scrap)
    #expect(track.count == count / 240 + 1 && track.voicedShare == 0)
    let broken = Signal([Float](repeating: .nan, count: count), sampleRateHz: 48_000)
    #expect(try PitchTracker().track(broken).voicedShare == 0)
  }

  @Test func settingsOutOfRangeAreNamed() {
    var settings = PitchTracker.Settings()
    settings.hopMs = 0
    #expect(throws: SettingsError.self) { _ = try PitchTracker(settings) }
  }
}
