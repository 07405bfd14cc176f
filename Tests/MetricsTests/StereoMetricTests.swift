import DSP
import EvaluationSupport
import Foundation
import Singer
import Subjects
import TestSupport
import Testing

@testable import Metrics

/// Stereo images of known level, correlation and loss.
@Suite struct StereoMetricTests {
  /// Noise of a seed; two seeds are unrelated.
  private func noise(_ seed: UInt64) -> [Float] {
    Signal.noise(seed: seed).samples
  }

  private func image(_ left: [Float], _ right: [Float]) throws -> StereoImage {
    try #require(
      StereoImage(
        of: StereoSound(
          left: Signal(left, sampleRateHz: 48_000), right: Signal(right, sampleRateHz: 48_000))))
  }

  @Test func equalChannelsLoseNothing() throws {
    let image = try image(noise(1), noise(1))
    #expect(try image.levelDifferenceDb.get() == 0)
    #expect(abs(try image.correlation.get() - 1) < 1e-9)
    #expect(image.monoLossDb < 1e-6)
    #expect(try image.worstBandLossDb.get() < 1e-5)
  }

  /// Half the amplitude is 6.02 dB less. The mean of 1 and 1/2 is 3/4, whose power is 9/16; the mean
  /// power is 5/8: 0.46 dB more.
  @Test func aSofterChannelIsMeasured() throws {
    let image = try image(noise(1), noise(1).map { $0 / 2 })
    #expect(abs(try image.levelDifferenceDb.get() + 6.0206) < 1e-3)
    #expect(abs(try image.correlation.get() - 1) < 1e-9)
    #expect(abs(image.monoLossDb - 10 * log10(10.0 / 9)) < 1e-4)
  }

  /// The correlation of 48,000 unrelated samples has a deviation of 0.0046.
  @Test func unrelatedChannelsLoseThreeDecibels() throws {
    let image = try image(noise(1), noise(2))
    #expect(abs(try image.correlation.get()) < 0.02)
    #expect(abs(image.monoLossDb - 3.01) < 0.1)
  }

  @Test func oppositeChannelsCancel() throws {
    let image = try image(noise(1), noise(1).map { -$0 })
    #expect(abs(try image.correlation.get() + 1) < 1e-9)
    #expect(image.monoLossDb == 60)
  }

  /// A delay of 1 ms cancels 500 Hz and its odd multiples. Of the third octave from 445 to 561 Hz, the
  /// mean of cos² over the band is left: -17.4 dB by integration of (1 + cos(2 pi f / 1000)) / 2.
  @Test func aDelayIsACombFilter() throws {
    let sound = noise(1)
    let late = Array(repeating: Float(0), count: 48) + sound.dropLast(48)
    let image = try image(sound, late)
    #expect(image.monoLossDb < 3.5)
    let (low, high) = (100 * exp2(13.0 / 6), 100 * exp2(15.0 / 6))
    let share =
      0.5 + (sin(2 * .pi * high / 1000) - sin(2 * .pi * low / 1000)) * 1000
      / (4 * .pi * (high - low))
    // 120 bins of noise scatter by a few tenths of a decibel.
    #expect(abs(try image.worstBandLossDb.get() + 10 * log10(share)) < 1)
  }

  private static let unison = Score(id: "unison", intervalsSemitones: [0])

  @Test func aSampleThatIsNoNumberIsNamed() throws {
    let choir = try ChoirOfSingers(
      Songbook.performance(id: "vowels-tenor"), Self.unison, seconds: 1)
    var broken = choir.recording.signal
    broken.samples[100] = .nan
    var rendering = Rendering(mix: choir.recording.signal, stems: choir.stems)
    rendering.stereo = StereoSound(left: broken, right: choir.recording.signal)
    let observation = Observation(
      choir.recording, score: ResolvedScore(Self.unison, lead: choir.recording.truth!),
      rendering: rendering)
    for id in ["stereo.correlation", "stereo.mono_loss"] {
      #expect(observation.reason(id, voice: nil)?.contains("no finite") == true)
    }
  }

  @Test func oneSilentChannelHasNoCorrelation() throws {
    let image = try image(noise(1), Array(repeating: 0, count: 48_000))
    #expect(throws: Undefined.self) { try image.correlation.get() }
    #expect(throws: Undefined.self) { try image.levelDifferenceDb.get() }
    #expect(abs(image.monoLossDb - 3.01) < 0.01)
    let silence = Signal(Array(repeating: 0, count: 100), sampleRateHz: 48_000)
    #expect(StereoImage(of: StereoSound(left: silence, right: silence)) == nil)
  }
}
