import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct FormantRatioTests {
  private func measure(
    _ output: TestVoice, from input: TestVoice, rateHz: Double = 48_000
  ) throws -> FormantRatio {
    var (input, output) = (input, output)
    (input.sampleRateHz, output.sampleRateHz) = (rateHz, rateHz)
    let (a, b) = (input.signal(), output.signal())
    let tracker = try PitchTracker()
    return try FormantRatio(
      of: b, tracker.track(b), from: .init(of: a, tracker.track(a)), delaySeconds: 0)
  }

  private func vibrato(_ hz: Double) -> @Sendable (Double) -> Double {
    { hz * exp2(0.05 * sin(2 * .pi * 5.5 * $0)) }
  }

  /// Resonances moved by a known factor at constant pitch are measured moved by it.
  @Test(arguments: [0.8, 0.9, 0.95, 1.0, 1.02, 1.05, 1.1, 1.26])
  func aKnownFormantRatioIsMeasured(scale: Double) throws {
    let voice = TestVoice(f0Hz: vibrato(130))
    var moved = voice
    moved.formantScale = scale
    let found = try measure(moved, from: voice)
    // Harmonics 130 Hz apart, with vibrato, locate an envelope within half a percent.
    #expect(abs(found.ratio / scale - 1) < 0.006, "\(found)")
  }

  /// A telephone's rate ends below the formants' range, and its end must not count as a formant.
  @Test(arguments: [0.8, 1.26], [8000.0, 11_025])
  func aLowRateMeasuresTheSameRatio(scale: Double, rateHz: Double) throws {
    let voice = TestVoice(f0Hz: vibrato(130))
    var moved = voice
    moved.formantScale = scale
    let found = try measure(moved, from: voice, rateHz: rateHz)
    #expect(abs(found.ratio / scale - 1) < 0.01, "\(found)")
  }

  /// Another pitch with the same vocal tract has a ratio of 1.
  @Test(arguments: [0.75, 1.26, 1.5])
  func anotherPitchAloneKeepsTheFormants(ratio: Double) throws {
    let found = try measure(
      TestVoice(f0Hz: vibrato(150 * ratio)), from: TestVoice(f0Hz: vibrato(150)))
    #expect(abs(found.ratio - 1) < 0.03, "\(found)")
  }

  /// Faster playback moves everything: the ratio is that of the pitches.
  @Test(arguments: [0.7, 1.2, 1.4])
  func playingFasterMovesEverything(ratio: Double) throws {
    let voice = TestVoice { _ in 150 }
    var faster = TestVoice { _ in 150 * ratio }
    faster.formantScale = ratio
    #expect(try abs(measure(faster, from: voice).ratio / ratio - 1) < 0.01)
  }

  @Test func silenceHasNoFormants() throws {
    let voice = TestVoice { _ in 150 }.signal()
    let silence = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    let tracker = try PitchTracker()
    let error = #expect(throws: Unmeasurable.self) {
      _ = try FormantRatio(
        of: silence, tracker.track(silence), from: .init(of: voice, tracker.track(voice)),
        delaySeconds: 0)
    }
    #expect(error?.cause == .tooLittleVoice)
  }
}
