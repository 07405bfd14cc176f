import Analyzer
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct StepInstantTests {
  private func voice(_ hz: Double, semitones: Double, delayMs: Double, noiseDb: Double? = nil)
    -> Signal
  {
    var voice = TestVoice { $0 < 0.4 + delayMs / 1000 ? hz : hz * exp2(semitones / 12) }
    (voice.sampleRateHz, voice.seconds, voice.noiseDb) = (24_000, 0.7, noiseDb)
    return voice.signal()
  }

  /// A sudden step of any size, octaves included, is measured from the waveform. The phase must
  /// slip by some of the highest harmonics' period to show: less than a tenth of the voice's
  /// period.
  @Test(arguments: [82.0, 220, 880], [-12.0, -4, 1, 7, 12])
  func aSuddenStepIsMeasuredToAFractionOfAPeriod(hz: Double, semitones: Double) throws {
    for delayMs in semitones == 1 ? [0, 41.9] : [7.3] {
      let step = PitchStep(timeSeconds: 0.4, fromHz: hz, toHz: hz * exp2(semitones / 12))
      let found = try StepInstant(in: voice(hz, semitones: semitones, delayMs: delayMs), of: step)
      let periodMs = 1000 / min(step.fromHz, step.toHz)
      #expect(abs(found.delayMs - delayMs) < 0.1 * periodMs, "\(delayMs)")
      #expect(found.contrast > 0.9, "\(delayMs)")
    }
  }

  /// Noise hides the first slips of the phase.
  @Test(arguments: [-30.0, -20]) func noiseReducesThePrecision(noiseDb: Double) throws {
    let step = PitchStep(timeSeconds: 0.4, fromHz: 220, toHz: 220 * exp2(4.0 / 12))
    let sound = voice(220, semitones: 4, delayMs: 18, noiseDb: noiseDb)
    #expect(abs(try StepInstant(in: sound, of: step).delayMs - 18) < 1000 / 220.0)
  }

  @Test func soundsWithoutAStepThrow() throws {
    let step = PitchStep(timeSeconds: 0.4, fromHz: 220, toHz: 277)
    let steady = voice(220, semitones: 0, delayMs: 0)
    let silence = Signal([Float](repeating: 0, count: 20_000), sampleRateHz: 24_000)
    let broken = Signal([.nan, .infinity, 1], sampleRateHz: 8000)
    #expect(throws: Unmeasurable.self) { _ = try StepInstant(in: steady, of: step) }
    #expect(cause { try StepInstant(in: silence, of: step) } == .unclearSteps)
    #expect(cause { try StepInstant(in: broken, of: step) } == .outOfRange)
    let small = PitchStep(timeSeconds: 0.4, fromHz: 220, toHz: 221)
    #expect(cause { try StepInstant(in: steady, of: small) } == .unclearSteps)
    let early = PitchStep(timeSeconds: 0.01, fromHz: 220, toHz: 277)
    #expect(cause { try StepInstant(in: steady, of: early) } == .outOfRange)
  }
}
