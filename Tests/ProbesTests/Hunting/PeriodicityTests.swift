import DSP
import Foundation
import Testing

@testable import Probes

@Suite struct PeriodicityTests {
  private func sound(_ value: (Double) -> Double) -> Signal {
    Signal((0..<24_000).map { Float(value(Double($0) / 48_000)) }, sampleRateHz: 48_000)
  }

  private func correlation(_ sound: Signal, _ hz: Double) -> Double {
    Periodicity.correlation(of: sound, atSeconds: 0.25, hz: hz)
  }

  @Test func aToneRepeatsItselfAtItsPeriod() {
    let tone = sound { sin(2 * .pi * 200 * $0) + 0.5 * sin(2 * .pi * 400 * $0) }
    #expect(correlation(tone, 200) > 0.99)
    // 1/150 s is 4/3 of a period of 200 Hz: the correlation is about cos(240°), far from 1.
    #expect(correlation(tone, 150) < 0.6)
  }

  @Test func aVibratoOf150CentsStillRepeatsItself() {
    let depth = 200 * (exp2(150 / 1200.0) - 1)
    let voice = sound { sin(2 * .pi * 200 * $0 + depth / 5.5 * sin(2 * .pi * 5.5 * $0)) }
    #expect(correlation(voice, 200) > 0.9 || correlation(voice, 200 + depth) > 0.9)
  }

  @Test func silenceAndNoiseHaveNoPeriod() {
    #expect(correlation(sound { _ in 0 }, 200) == 0)
    var random = SeededGenerator(seed: 1)
    #expect(correlation(sound { _ in random.uniform() - 0.5 }, 200) < 0.3)
    #expect(Periodicity.correlation(of: sound { _ in 1 }, atSeconds: 0.001, hz: 100) == 0)
  }
}
