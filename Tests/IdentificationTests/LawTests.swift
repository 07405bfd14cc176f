import DSP
import Foundation
import Testing

@testable import Identification

/// The analysis of one tone, and the laws fitted to several.
@Suite struct LawTests {
  /// The tone, sung by its generator at another pitch, later, softer and with a tremolo.
  private func output(
    targetHz: Double, cents: Double = 0, lateMs: Double = 0, gain: Double = 1,
    tremoloDb: Double = 0, tremoloHz: Double = 7
  ) -> Signal {
    let tone = ToneTrial.sound(noteHz: targetHz * exp2(cents / 1200))
    let late = Int(lateMs * 48)
    let samples = tone.samples.enumerated().map { index, sample in
      let swing = tremoloDb / 2 * sin(2 * .pi * tremoloHz * Double(index) / 48_000)
      return sample * Float(gain * pow(10, swing / 20))
    }
    return Signal(
      Array(([Float](repeating: 0, count: late) + samples).prefix(tone.count)),
      sampleRateHz: 48_000)
  }

  private func trial(_ output: Signal, noteHz: Double, semitones: Double) -> ToneTrial {
    ToneTrial(
      of: output, from: ToneTrial.sound(noteHz: noteHz), noteHz: noteHz, semitones: semitones,
      blockSize: nil, varied: nil)
  }

  @Test(arguments: [-30.0, -3, 0, 7])
  func anErrorOfPitchIsRead(cents: Double) throws {
    let targetHz = 220 * exp2(4.0 / 12)
    let found = trial(output(targetHz: targetHz, cents: cents), noteHz: 220, semitones: 4)
    #expect(abs(try found.errorCents.known() - cents) < 0.05)
  }

  @Test(arguments: [0.0, 10.25, 80, 180])
  func aDelayIsReadAtAnotherPitch(lateMs: Double) throws {
    let found = trial(
      output(targetHz: 110 * exp2(-5.0 / 12), lateMs: lateMs), noteHz: 110, semitones: -5)
    #expect(abs(try found.delayMs.known() - lateMs) < 0.1)
  }

  @Test func aTremoloAndAGainAreRead() throws {
    let found = trial(
      output(targetHz: 220, gain: 0.5, tremoloDb: 2), noteHz: 220, semitones: 0)
    #expect(abs(try found.levelSwingDb.known() - 2) < 0.1)
    #expect(abs(found.levelSwingHz - 7) < 0.1)
    #expect(abs(found.gainDb - 20 * log10(0.5)) < 0.1)
  }

  @Test func silenceHasReasons() throws {
    let silence = Signal([Float](repeating: 0, count: 153_600), sampleRateHz: 48_000)
    let found = trial(silence, noteHz: 220, semitones: 0)
    #expect(found.delayMs.value == nil)
    #expect(found.errorCents.reason?.code == .noPeriod)
  }

  private func tone(_ noteHz: Double, _ semitones: Double, _ block: Int, _ delayMs: Double)
    -> ToneTrial
  {
    var trial = trial(output(targetHz: noteHz), noteHz: noteHz, semitones: semitones)
    (trial.blockSize, trial.delayMs) = (block, .known(delayMs))
    return trial
  }

  /// Delays by a law of all four terms give back its factors.
  @Test func allTermsOfADelayAreTold() throws {
    var tones: [ToneTrial] = []
    for (noteHz, semitones, block) in [
      (110.0, -5.0, 128), (110, 4, 128), (220, -5, 128), (220, 12, 128), (220, 4, 128),
      (220, 4, 1024), (440, 4, 128),
    ] {
      let period = 1000 / noteHz
      let outputPeriod = period * exp2(-semitones / 12)
      let byShift = 10 * (1 - outputPeriod / period)
      let delay = 2 + byShift + 1.25 * period - 0.5 * outputPeriod + 2 * Double(block) / 48
      tones.append(tone(noteHz, semitones, block, delay))
    }
    let law = try DelayLaw(tones)
    #expect(abs(law.fixedMs - 2) < 1e-6)
    #expect(abs(law.perShiftMs - 10) < 1e-6)
    #expect(abs(law.inputPeriods - 1.25) < 1e-6)
    #expect(abs(law.outputPeriods + 0.5) < 1e-6)
    #expect(abs(try #require(law.blocks) - 2) < 1e-6)
    #expect(law.largestResidualMs < 1e-6)
  }

  @Test func twoTonesAreTooFew() {
    #expect(throws: (any Error).self) {
      try DelayLaw([tone(110, 0, 128, 1), tone(220, 0, 128, 1)])
    }
  }

  /// 20 ms to start, 3 % of a core, 2 % for each further voice, and 5 µs a block.
  @Test func theTermsOfACostAreTold() throws {
    let cases: [(seconds: Double, voices: Int, block: Int)] = [
      (3.2, 1, 128), (3.2, 1, 32), (3.2, 1, 1024), (1, 1, 128), (2, 2, 128), (2, 8, 128),
    ]
    let runs = cases.map { seconds, voices, block -> CostLaw.Run in
      let blocks = seconds * 48_000 / Double(block)
      let share = 0.03 + 0.02 * Double(voices - 1)
      let cpuSeconds = 0.020 + share * seconds + 5e-6 * blocks
      return CostLaw.Run(
        seconds: seconds, voices: voices, blockSize: block, cpuSeconds: cpuSeconds)
    }
    let law = try CostLaw(runs)
    #expect(abs(law.startSeconds - 0.020) < 1e-9)
    #expect(abs(law.perSecond - 0.03) < 1e-9)
    #expect(abs(try #require(law.perVoice) - 0.02) < 1e-9)
    #expect(abs(try #require(law.perBlockMicroseconds) - 5) < 1e-3)
  }

  /// Noise must not make a term negative: shorter sounds that cost more per second have a start,
  /// longer ones have none.
  @Test func noTermOfACostIsNegative() throws {
    let times: [(Double, Double)] = [(1, 0.09), (2, 0.21), (4, 0.42)]
    let runs = times.map { seconds, cpuSeconds in
      CostLaw.Run(seconds: seconds, voices: 1, blockSize: nil, cpuSeconds: cpuSeconds)
    }
    let law = try CostLaw(runs)
    #expect(law.startSeconds == 0)
    #expect((0.09...0.105).contains(law.perSecond))
  }
}
