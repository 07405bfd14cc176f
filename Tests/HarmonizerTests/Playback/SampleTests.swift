import DSP
import Foundation
import TestSupport
import Testing

@testable import Harmonizer

@Suite struct SampleTests {
  /// A sine with zero crossings halfway between samples: at 100 Hz half a sample before every
  /// 240th.
  static func tone(hz: Double, seconds: Double, rateHz: Double = 48_000) -> Signal {
    Signal(
      (0..<Int(seconds * rateHz)).map { n -> Float in
        let turns: Double = hz * (Double(n) + 0.5) / rateHz
        return Float(0.5 * sin(2 * Double.pi * turns))
      }, sampleRateHz: rateHz)
  }

  static func plain(_ change: (inout Sample.Settings) -> Void = { _ in }) -> Sample.Settings {
    var settings = Sample.Settings()
    (settings.fadeMs, settings.snapMs) = (0, 0)
    change(&settings)
    return settings
  }

  @Test func anUnchangedSamplePlaysExactly() throws {
    let recording = Self.tone(hz: 997, seconds: 0.1)
    let sample = try Sample(recording, Self.plain())
    #expect(sample.rendered(sampleRateHz: 48_000) == recording)
    // 5518 / 44100 seconds at 44.1 kHz round to more than 5518 samples.
    let odd = Signal(
      Array((recording.samples + recording.samples).prefix(5_518)), sampleRateHz: 44_100)
    #expect(try Sample(odd, Self.plain()).rendered(sampleRateHz: 44_100) == odd)
  }

  /// Sample 1000 lies between the zero crossings at 960 and 1200, 5000 between 4800 and 5040.
  @Test func anEdgeMovesToTheNearestCrossing() throws {
    var settings = Sample.Settings()
    (settings.startSeconds, settings.endSeconds) = (1000.0 / 48_000, 5000.0 / 48_000)
    let sample = try Sample(Self.tone(hz: 100, seconds: 0.2), settings)
    #expect(sample.crop == 960..<5040)
    settings.snapMs = 0.5  // 24 samples: no crossing is within reach
    #expect(try Sample(Self.tone(hz: 100, seconds: 0.2), settings).crop == 1000..<5000)
  }

  /// A part cut out of a loud sound begins and ends with steps no larger than the fade's: the
  /// steepest slope of half a cosine over 96 samples is π/192, times the level.
  @Test func edgesDoNotClick() throws {
    let direct = Signal(Array(repeating: 0.8, count: 4800), sampleRateHz: 48_000)
    let sample = try Sample(direct)
    let sound = [0] + sample.rendered(sampleRateHz: 48_000).samples + [0]
    var steepest: Float = 0
    for i in 1..<sound.count { steepest = max(steepest, abs(sound[i] - sound[i - 1])) }
    #expect(Double(steepest) <= 0.8 * Double.pi / 192 * 1.001)
    #expect(sample.samples[100..<4700].allSatisfy { $0 == 0.8 })
  }

  /// A sine read at another speed is a sine of that frequency. The residual consists of
  /// interpolation images between the 256 phases, -94 dB for a sound at half the rate, and the
  /// filters' -100 dB.
  @Test(arguments: [
    (0.25, 9000.0), (0.5, 18_000), (0.749153538, 15_000), (1.259921, 15_000), (1.5, 13_000),
    (1.999, 10_000), (2, 10_000), (3.7, 5000), (8, 2000), (16, 1200),
  ])
  func speedTransposesCleanly(speed: Double, hz: Double) throws {
    let sample = try Sample(Self.tone(hz: hz, seconds: 2), Self.plain { $0.speed = speed })
    let sound = sample.rendered(sampleRateHz: 48_000).samples
    #expect(abs(sound.count - Int(96_000 / speed)) <= 1)
    let middle = sound[(sound.count / 4)..<min(sound.count * 3 / 4, sound.count / 4 + 6000)]
    let fit = SineFit(middle, hz: hz * speed, sampleRateHz: 48_000)
    #expect(fit.residualDb < -90)
    #expect(abs(20 * log10(fit.amplitude / 0.5)) < 0.01)
  }

  /// Nothing is left of frequencies above the output's Nyquist frequency plus the filters'
  /// transition.
  @Test(arguments: [(1.5, 18_500.0), (2, 14_000), (3, 10_000), (5, 19_000), (16, 2000)])
  func aliasesAreRemoved(speed: Double, hz: Double) throws {
    let sample = try Sample(Self.tone(hz: hz, seconds: 1), Self.plain { $0.speed = speed })
    let sound = sample.rendered(sampleRateHz: 48_000).samples
    let middle = sound[(sound.count / 3)..<(sound.count * 2 / 3)]
    let power = middle.reduce(0.0) { $0 + Double($1 * $1) } / Double(middle.count)
    #expect(10 * log10(max(power, 1e-30) / 0.125) < -90)
  }

  @Test func ratesAreConverted() throws {
    let sample = try Sample(Self.tone(hz: 3000, seconds: 1, rateHz: 44_100), Self.plain())
    let sound = sample.rendered(sampleRateHz: 48_000).samples
    #expect(sound.count == 48_000)
    let fit = SineFit(sound[10_000..<20_000], hz: 3000, sampleRateHz: 48_000)
    #expect(fit.residualDb < -90)
  }

  @Test func theGainIsApplied() throws {
    let sample = try Sample(
      Self.tone(hz: 100, seconds: 0.1), Self.plain { $0.gainDb = -6.020599913 })
    let sound = sample.rendered(sampleRateHz: 48_000).samples
    for (a, b) in zip(sound, Self.tone(hz: 100, seconds: 0.1).samples) {
      #expect(abs(a - b / 2) < 1e-7)
    }
  }

  @Test(arguments: [8000.0, 44_100, 192_000])
  func allSampleRatesWork(rateHz: Double) throws {
    for recording in [
      Signal([0.5], sampleRateHz: rateHz), Signal([0, 0, 0], sampleRateHz: rateHz),
      Signal(squareWave(periodSamples: 40, count: 500), sampleRateHz: rateHz),
    ] {
      let sample = try Sample(recording)
      for output in [8000.0, 192_000] {
        #expect(sample.rendered(sampleRateHz: output).firstNonFinite == nil)
      }
    }
  }

  @Test func invalidSamplesAreReported() throws {
    let tone = Self.tone(hz: 100, seconds: 1)
    #expect(throws: SampleError.empty) { try Sample(Signal([], sampleRateHz: 48_000)) }
    #expect(throws: SampleError.notFinite(atSample: 1)) {
      try Sample(Signal([0, .nan], sampleRateHz: 48_000))
    }
    #expect(throws: SampleError.cropIsEmpty(start: 2, end: 1, duration: 1)) {
      try Sample(tone, Self.plain { $0.startSeconds = 2 })
    }
    #expect(throws: SampleError.endIsOutside(end: 400, duration: 1)) {
      try Sample(tone, Self.plain { $0.endSeconds = 400 })
    }
    _ = try Sample(tone, Self.plain { $0.endSeconds = 1.0004 })
    #expect(throws: SampleError.self) { try Sample(tone, Self.plain { $0.speed = 17 }) }
    #expect(throws: SampleError.loopIsOutside(start: 0.5, end: 1.5, crop: 0...1)) {
      try Sample(tone, Self.plain { $0.loop = .init(startSeconds: 0.5, endSeconds: 1.5) })
    }
    #expect(throws: SampleError.self) {
      try Sample(tone, Self.plain { $0.loop = .init(startSeconds: 0.5, endSeconds: 0.5) })
    }
  }

  @Test func omittedSettingsHaveDefaults() throws {
    let text = #"{"speed": 0.5, "loop": {"startSeconds": 0.1, "crossfadeMs": 5}}"#
    let settings = try JSONDecoder().decode(Sample.Settings.self, from: Data(text.utf8))
    var expected = Sample.Settings()
    expected.speed = 0.5
    expected.loop = Sample.Loop(startSeconds: 0.1)
    expected.loop?.crossfadeMs = 5
    #expect(settings == expected)
    let again = try JSONDecoder().decode(
      Sample.Settings.self, from: try JSONEncoder().encode(settings))
    #expect(again == settings)
  }
}
