import DSP
import Foundation
import ProcessorConformance
import Testing

@testable import Harmonizer

/// Voices whose interval and level change while they sound.
@Suite struct MusicalControlTests {
  @Test func keepsTheProcessorContractWhileItChanges() throws {
    let conformance = ProcessorConformance {
      try EventfulHarmonizer(HarmonizerTests.chord, everySamples: 1500) { harmonizer, sample in
        let odd = sample / 1500 % 2 == 1
        harmonizer.setShift(semitones: odd ? 9.5 : -3, ofVoice: odd ? 1 : 0)
        harmonizer.setGain(odd ? 0 : 1.5, ofVoice: 1, rampSamples: 240)
      }
    }
    #expect(try conformance.findings() == [])
  }

  /// Four seconds at +7, then four at -5: each half has the shift set.
  @Test func thePitchFollowsTheShift() throws {
    var shifter = try DelayLineShifterTests.make(7)
    let input = tone(hz: 330, seconds: 8)
    let before = shifter.render(Array(input[..<192_000]))
    shifter.setShift(semitones: -5)
    #expect(shifter.shiftSemitones == -5)
    let after = shifter.render(Array(input[192_000...]))
    for (output, semitones) in [(before, 7.0), (after, -5)] {
      let law = DelayLineLaw(
        shiftSemitones: semitones, settings: DelayLineShifterTests.settings, sampleRateHz: 48_000)
      let heard = strongestLineHz(in: Array(output.suffix(144_000)))
      // On a line of the sweep, one of the two nearest to the transposition.
      #expect(abs(heard - 330 * exp2(semitones / 12)) <= law.sweepRateHz)
    }
  }

  /// A click would be a step. The input's steepest slope is 2π · 220 Hz · 0.5 / 48 kHz = 0.0144 a
  /// sample. Read up to twice as fast and crossfaded over 480 samples, which adds at most 1 · 3 /
  /// 480 = 0.006, it stays below 0.036.
  @Test func aChangeMakesNoClick() throws {
    let input = tone(hz: 220, seconds: 1)
    var shifter = try DelayLineShifterTests.make(0)
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 100) {
      shifter.setShift(semitones: [12, -12, 0, 7, -4][start / 100 % 5])
      output += shifter.render(Array(input[start..<start + 100]))
    }
    let steepest = zip(output, output.dropFirst()).map { abs($1 - $0) }.dropFirst(2000).max()!
    #expect(steepest < 0.036)
  }

  @Test func aShiftOutOfRangeIsClampedAndResetRestoresIt() throws {
    var shifter = try DelayLineShifterTests.make(3)
    shifter.setShift(semitones: .nan)
    #expect(shifter.shiftSemitones == 3)
    shifter.setShift(semitones: 30)
    #expect(shifter.shiftSemitones == 24)
    shifter.reset()
    #expect(shifter.shiftSemitones == 3)
  }

  /// A ramp from 1 to 0 over 4 samples is 0.75, 0.5, 0.25, 0, and 0 from then on.
  @Test func theGainHasALinearRamp() throws {
    let still = Harmonizer.Settings(
      voices: [.init(intervalSemitones: 0)],
      engine: .delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (20, 10) }))
    var harmonizer = try HarmonizerTests.make(still)
    _ = harmonizer.render([Float](repeating: 1, count: 2_000))
    harmonizer.setGain(0, ofVoice: 0, rampSamples: 4)
    #expect(harmonizer.render([1, 1, 1, 1, 1, 1]) == [0.75, 0.5, 0.25, 0, 0, 0])
    #expect(harmonizer.state(ofVoice: 0).gain == 0)
    harmonizer.setGain(0.5, ofVoice: 0, rampSamples: 0)
    #expect(harmonizer.render([1]) == [0.5])
    harmonizer.reset()
    #expect(harmonizer.state(ofVoice: 0).gain == 1)
  }
}
