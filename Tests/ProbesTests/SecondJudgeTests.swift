import DSP
import Foundation
import TestSupport
import Testing

@testable import Probes
@testable import Sweep

@Suite struct SecondJudgeTests {
  private static let rate = 48_000.0

  /// A second of a voice-like tone of ten harmonics, with a silence of 0.2 s in the middle if asked.
  private func voice(_ hz: Double, interrupted: Bool = false) -> Signal {
    var sound = Signal.harmonics(sawtooth(10, first: 0.1), of: hz, sampleRateHz: Self.rate)
    if interrupted { for n in 19_200..<28_800 { sound.samples[n] = 0 } }
    return sound
  }

  /// The tracker's claim: from 0.4 to 0.6 s it has another pitch than the target of 200 Hz.
  private func confidence(ofTrackerAt trackedHz: Double, in sound: Signal) throws -> Double {
    let trace = VoiceTrace(
      voice: 0, hopSeconds: 0.005, targetHz: [Float](repeating: 200, count: 200),
      measuredHz: (0..<200).map { 80..<120 ~= $0 ? Float(trackedHz) : 200 })
    let stretch = try #require(OutOfTuneSegment.all(in: trace).first)
    return SecondJudge(on: sound).confidence(in: stretch, of: trace)
  }

  @Test(arguments: [50.0, -40, 300, 1200]) func whatIsOutOfTuneIsConfirmed(cents: Double) throws {
    let hz = 200 * exp2(cents / 1200)
    #expect(try confidence(ofTrackerAt: hz, in: voice(hz)) > 0.9)
  }

  /// The voice is in tune, whatever the tracker says, the octave below included, whose harmonics hold
  /// all of the voice.
  @Test(arguments: [50.0, -40, -1200, 1200, -1902])
  func anErrorOfTheTrackerIsNotConfirmed(cents: Double) throws {
    #expect(try confidence(ofTrackerAt: 200 * exp2(cents / 1200), in: voice(200)) < 0.1)
  }

  @Test func onlyAMissingVoiceIsConfirmedAsMissing() throws {
    #expect(try confidence(ofTrackerAt: 0, in: voice(200)) == 0)
    // The fit's frame of 20 ms reaches into the sound at both ends of the silence.
    #expect(try confidence(ofTrackerAt: 0, in: voice(200, interrupted: true)) > 0.8)
  }

  @Test func aClickStandsOutFromItsSurroundings() {
    var clicking = voice(200)
    clicking.samples[24_000] += 0.1
    #expect(SecondJudge.clickConfidence(in: clicking, atSeconds: 0.5) > 0.8)
    #expect(SecondJudge.clickConfidence(in: voice(200), atSeconds: 0.5) < 0.3)
    #expect(SecondJudge.clickConfidence(in: Signal([], sampleRateHz: 48_000), atSeconds: 0.5) == 0)
  }

  @Test func aLateOnsetIsConfirmedAtItsDelay() {
    let silence = [Float](repeating: 0, count: 9_600)
    let input = Signal(silence + voice(200).samples.prefix(14_400), sampleRateHz: Self.rate)
    let output = Signal(
      silence + [Float](repeating: 0, count: 1_440) + voice(300).samples.prefix(14_400),
      sampleRateHz: Self.rate)
    func confidence(_ delayMs: Double) -> Double {
      SecondJudge.onsetConfidence(of: output, from: input, atSeconds: 0.2, delayMs: delayMs)
    }
    #expect(confidence(30) > 0.7)
    #expect(confidence(106) == 0 && confidence(0) == 0)
  }
}
