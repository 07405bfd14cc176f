import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

@Suite struct SampleLoopTests {
  private static func looped(
    _ start: Double, _ end: Double, crossfadeMs: Double, searchMs: Double
  ) -> Sample.Settings {
    var loop = Sample.Loop(startSeconds: start, endSeconds: end)
    (loop.crossfadeMs, loop.searchMs) = (crossfadeMs, searchMs)
    return SampleTests.plain { $0.loop = loop }
  }

  /// The loop is a whole number of periods within half a sample. At 48 kHz a period of 220 Hz is
  /// 218.18 samples, so the phase error is at most 0.0144 rad. It bounds the errors of the level in
  /// the crossfade and of the slope at the seam.
  @Test func aLoopedToneIsContinuous() throws {
    let recording = SampleTests.tone(hz: 220, seconds: 1)
    let sample = try Sample(recording, Self.looped(0.3, 0.5, crossfadeMs: 20, searchMs: 10))
    let periods = Double(sample.loop!.count) / (48_000 / 220.0)
    #expect(abs(periods - periods.rounded()) < 0.5 / 218)
    #expect(sample.seam!.likeness > 0.9999)
    let sound = sample.rendered(sampleRateHz: 48_000, seconds: 3).samples
    #expect(sound.count == 144_000)
    // The second difference of a sine is its level times (2πf/fs)²; a click's is many times that.
    var sharpest: Float = 0
    for i in 1..<sound.count - 1 {
      sharpest = max(sharpest, abs(sound[i - 1] + sound[i + 1] - 2 * sound[i]))
    }
    let step = 2 * Double.pi * 220 / 48_000
    #expect(Double(sharpest) < 0.5 * step * step * 1.1)
    // Levels of three whole periods, at any place.
    for start in stride(from: 0, to: 140_000, by: 327) {
      let power = sound[start..<start + 655].reduce(0.0) { $0 + Double($1 * $1) } / 655
      #expect(abs(10 * log10(power / 0.125)) < 0.1)
    }
  }

  /// Two stretches of noise are uncorrelated, so powers add. In the middle of the crossfade the
  /// power is that of the noise; a linear crossfade would halve it. From 150 seeds times 96 samples
  /// the power is known within 0.8 %; random correlation adds about 2 %.
  @Test func noiseKeepsItsPower() throws {
    var (power, count) = (0.0, 0)
    for seed in 0..<150 {
      let sample = try Sample(
        .noise(count: 3000, seed: UInt64(seed)),
        Self.looped(0.03, 0.06, crossfadeMs: 20, searchMs: 0))
      #expect(sample.loop == 1440..<2880 && sample.seam!.likeness < 0.15)
      let sound = sample.rendered(sampleRateHz: 48_000, seconds: 0.1).samples
      for i in 2400 - 48..<2400 + 48 {
        power += Double(sound[i] * sound[i])
        count += 1
      }
    }
    #expect(abs(power / Double(count) * 12 - 1) < 0.05)
  }

  /// A loop is periodic bit for bit from its start on, however short it is.
  @Test(arguments: [0.1, 0.011, 0.0015]) func aLoopIsPeriodic(length: Double) throws {
    let sample = try Sample(
      SampleTests.tone(hz: 441, seconds: 0.5),
      Self.looped(0.1, 0.1 + length, crossfadeMs: 5, searchMs: 0.2))
    let loop = sample.loop!
    let sound = sample.rendered(sampleRateHz: 48_000, seconds: 1).samples
    #expect(sound[..<loop.lowerBound] == sample.samples[..<loop.lowerBound])
    for i in loop.lowerBound..<sound.count - loop.count {
      #expect(sound[i] == sound[i + loop.count])
      if sound[i] != sound[i + loop.count] { break }
    }
  }

  /// One period of 100 samples at several speeds, down to nine output samples a period.
  /// samples. Leakage from outside the loop would show as a residual.
  @Test(arguments: [0.7, 1.3, 4, 11]) func octavesLoopAsWell(speed: Double) throws {
    var settings = Self.looped(0.1, 0.1 + 100.0 / 48_000, crossfadeMs: 0, searchMs: 0)
    settings.speed = speed
    let sample = try Sample(SampleTests.tone(hz: 480, seconds: 0.5), settings)
    let sound = sample.rendered(sampleRateHz: 48_000, seconds: 1).samples
    let fit = SineFit(sound[24_000..<34_000], hz: 480 * speed, sampleRateHz: 48_000)
    #expect(fit.residualDb < -90)
  }

  /// A loop at the start of a recording has no lead-in, so it starts a crossfade later.
  @Test func aLoopLeavesRoomForItsCrossfade() throws {
    let sample = try Sample(
      SampleTests.tone(hz: 100, seconds: 0.5), Self.looped(0, 0.4, crossfadeMs: 50, searchMs: 0))
    #expect(sample.loop == 2400..<19_200)
  }

  @Test func silenceLoops() throws {
    let silence = Signal([Float](repeating: 0, count: 4800), sampleRateHz: 48_000)
    let sample = try Sample(silence, Self.looped(0.02, 0.05, crossfadeMs: 10, searchMs: 5))
    #expect(sample.rendered(sampleRateHz: 48_000, seconds: 1).samples.allSatisfy { $0 == 0 })
  }
}
