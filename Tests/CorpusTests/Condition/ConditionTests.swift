import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus

/// Measures each condition's strength and compares it with the one requested.
@Suite struct ConditionTests {
  /// A tone that sounds half of the time, in steps that 20 ms divide.
  private let bursts: Signal = {
    var tone = Signal.sine(250, amplitude: 0.5, seconds: 4)
    for i in tone.samples.indices where (i / 24_000) % 2 == 1 { tone.samples[i] = 0 }
    return tone
  }()

  @Test func pausesDontCountAsLevel() {
    // A sine's root mean square is its amplitude over √2; whole periods fill every frame.
    #expect(abs(ActiveLevel.rms(of: bursts) - 0.5 / 2.0.squareRoot()) < 1e-4)
    #expect(ActiveLevel.rms(of: Signal([], sampleRateHz: 48_000)) == 0)
    #expect(ActiveLevel.rms(of: Signal([0, 0, 0], sampleRateHz: 48_000)) == 0)
  }

  @Test(arguments: [40.0, 20, 6, 0, -10], NoiseColour.allCases)
  func noiseHasItsRatio(snrDb: Double, colour: NoiseColour) {
    let heard = Condition.noise(snrDb: snrDb, colour: colour, seed: 3).applied(to: bursts)
    let noise = heard.minus(bursts).rms
    // The noise has exactly its level; a sum in single precision is off by 0.01 dB at 40 dB.
    let measured = 20 * log10(0.5 / 2.0.squareRoot() / noise)
    #expect(abs(measured - snrDb) < 0.01)
  }

  @Test(arguments: [(NoiseColour.white, 3.01), (.pink, 0)])
  func noiseHasItsColour(colour: NoiseColour, dbPerOctave: Double) {
    let tone = Signal.sine(250, amplitude: 0.5, seconds: 8)
    let noise = Condition.noise(snrDb: 0, colour: colour, seed: 1).applied(to: tone).minus(tone)
    for octave in [125.0, 500, 2_000, 5_000] {
      let step = decibels(
        noise.power(2 * octave..<4 * octave), over: noise.power(octave..<2 * octave))
      // The lower octave sums 1000 independent values or more: a deviation of 4.3 / √1000 dB, 0.14,
      // and as much again for the upper one; this is three of them.
      #expect(abs(step - dbPerOctave) < 0.5, "from \(octave) Hz")
    }
  }

  @Test func aSeedDecidesTheNoise() {
    func noise(_ seed: UInt64) -> Signal {
      Condition.noise(snrDb: 10, colour: .pink, seed: seed).applied(to: bursts)
    }
    #expect(noise(1) == noise(1))
    #expect(noise(1) != noise(2))
  }

  @Test(arguments: [0.2, 0.5, 1.5], [-5.0, 5])
  func aRoomHasItsReverberation(rt60S: Double, directDb: Double) {
    var click = [Float](repeating: 0, count: 96_000)
    click[100] = 1
    let room = Condition.room(Room(rt60S: rt60S, directDb: directDb, seed: 7))
    let heard = room.applied(to: Signal(click, sampleRateHz: 48_000)).samples
    #expect(abs(heard[100] - 1) < 1e-5, "the direct sound is unchanged")
    #expect(heard[..<100].allSatisfy { abs($0) < 1e-5 })
    let tail = heard[101...].map { Double($0) * Double($0) }
    // The last tenth of the longest tail is cut off, 75 dB down.
    #expect(abs(-10 * log10(tail.reduce(0, +)) - directDb) < 0.01)

    // Schroeder's integral: the energy after each instant.
    var left = tail
    for i in left.indices.dropLast().reversed() { left[i] += left[i + 1] }
    let levels = left.map { decibels($0, over: left[0]) }
    let (start, end) = (levels.firstIndex { $0 < -5 }!, levels.firstIndex { $0 < -35 }!)
    let measured = 2 * Double(end - start) / 48_000
    // 30 dB of 0.2 s are 4800 independent values, whose slope deviates by 1.5 %; this is three times
    // that.
    #expect(abs(measured / rt60S - 1) < 0.045)
  }

  @Test(arguments: [-30.0, -6, 12]) func levelIsExact(db: Double) {
    let heard = Condition.level(db: db).applied(to: bursts)
    #expect(abs(20 * log10(heard.rms / bursts.rms) - db) < 1e-4)
  }

  @Test(arguments: [0.0, 3, 6, 12]) func clippingTouchesOnlyPeaks(overDb: Double) {
    let heard = Condition.clip(overDb: overDb).applied(to: bursts)
    let limit = Float(0.5 * pow(10, -overDb / 20))
    #expect(abs(heard.samples.max()! - limit) < 1e-4)
    #expect(abs(heard.samples.min()! + limit) < 1e-4)
    #expect(
      zip(heard.samples, bursts.samples).allSatisfy { abs($1) > limit - 1e-4 || $0 == $1 })
    // A sine spends a share of 2/π · acos(s) of its time above s of its peak.
    let share = Double(zip(heard.samples, bursts.samples).count { $0 != $1 }) / 96_000
    #expect(abs(share - 2 / .pi * acos(pow(10, -overDb / 20))) < 0.02, "16 values a quarter turn")
  }

  @Test(arguments: [1_000.0, 4_000, 8_000]) func bandwidthEndsWhereItSays(hz: Double) {
    func gainDb(_ toneHz: Double) -> Double {
      let tone = Signal.sine(toneHz, amplitude: 0.5)
      let heard = Condition.bandwidth(hz: hz).applied(to: tone)
      return 20 * log10(heard.cut(0.2...0.8).rms / tone.cut(0.2...0.8).rms)
    }
    #expect(abs(gainDb(0.9 * hz)) < 0.01)
    #expect(abs(gainDb(hz) + 6.02) < 0.1, "a windowed sinc is half way down at its cutoff")
    #expect(gainDb(1.1 * hz) < -79, "designed for 80 dB by Kaiser's rule, good to 1 dB")
    // No delay: a tone inside the band is unchanged, sample by sample.
    let tone = Signal.sine(hz / 2, amplitude: 0.5)
    let rest = Condition.bandwidth(hz: hz).applied(to: tone).minus(tone).cut(0.2...0.8)
    #expect(rest.rms < 1e-3 * tone.rms)
  }

  @Test func bleedHasItsLevelAndNeverKeepsStep() {
    let other = Signal.sine(700, amplitude: 0.01, seconds: 0.9)
    let heard = Condition.bleed(id: "other", levelDb: -20).applied(to: bursts, other: other)
    let bled = heard.minus(bursts)
    // The level is relative to the active voice, 3 dB above the mean. The 0.9 s repeat over all 4 s.
    #expect(abs(20 * log10(bled.rms / (0.5 / 2.0.squareRoot())) + 20) < 0.02)
    let own = Condition.bleed(id: "self", levelDb: 0).applied(to: bursts, other: bursts)
    let rest = own.minus(bursts).cut(0...0.4).minus(bursts.cut(2...2.4))
    #expect(rest.rms < 1e-6, "single precision")
  }

  @Test func silenceAndNothingPass() {
    for condition in Self.all {
      for silent in [[], [Float](repeating: 0, count: 4_800)] {
        let heard = condition.applied(
          to: Signal(silent, sampleRateHz: 48_000), other: Signal([0, 0], sampleRateHz: 48_000))
        #expect(heard.count == silent.count)
        #expect(heard.samples.allSatisfy { $0 == 0 }, "\(condition)")
      }
    }
  }

  private static let all: [Condition] = [
    .clean, .noise(snrDb: 20, colour: .white, seed: 1), .room(Room(rt60S: 0.4)), .level(db: 3),
    .clip(overDb: 6), .bandwidth(hz: 4_000), .bleed(id: "x", levelDb: -20),
  ]
}
