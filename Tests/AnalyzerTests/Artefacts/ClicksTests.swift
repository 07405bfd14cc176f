import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct ClicksTests {
  private func found(_ signal: Signal, of times: [Double]) throws -> Int {
    let clicks = try Clicks(in: signal).clicks
    return times.count { time in clicks.contains { abs($0.timeSeconds - time) < 0.001 } }
  }

  /// Plosives, fricatives, breaths, and glottal pulses from D2 to a child's A4 are not clicks.
  @Test(arguments: ["stops-tenor", "fricatives-baritone", "stops-child", "vowels-bass"])
  func aVoiceDoesNotClick(song: String) throws {
    let (voice, _) = try Dose.song(song)
    #expect(try Clicks(in: voice).clicks.isEmpty)
  }

  /// A single sample at -26 dBFS exceeds the residual's highest pulses in this voice.
  @Test func clicksInAVoiceAreFoundWhereTheyLie() throws {
    let (voice, _) = try Dose.song("leaps-tenor")
    let (spoiled, times) = Dose.clicks(voice, db: -26)
    let clicks = try Clicks(in: spoiled).clicks
    #expect(clicks.count == times.count)
    for (click, time) in zip(clicks, times) {
      #expect(abs(click.timeSeconds - time) < 1e-9)
      // The voice's own pulses and noise add to the residual at the click.
      #expect(abs(click.levelDbfs + 26) < 2)
    }
  }

  /// One click a second at -40 dBFS in a voice at -20 dBFS, without breath noise that would mask
  /// it.
  @Test func softClicksInAClearVoiceAreFound() throws {
    var voice = TestVoice(seconds: 4, noiseDb: -60) { 180 + 5 * sin(35 * $0) }.signal()
    let gain = Float(0.1 / voice.rms)
    for i in voice.samples.indices { voice.samples[i] *= gain }
    let (spoiled, times) = Dose.clicks(voice, db: -40)
    #expect(try found(spoiled, of: times) == times.count)
    #expect(try Clicks(in: spoiled).clicks.count == times.count)
  }

  /// Single samples at -60 dBFS above a voice that ends at 6 kHz, as after a shift an octave down.
  @Test func theLevelIsThatOfTheClickWhereTheVoiceHasNoTreble() throws {
    let voice = TestVoice(seconds: 4, noiseDb: -60) { 180 + 5 * sin(35 * $0) }.signal()
      .resampled(to: 12_000).resampled(to: 48_000)
    let (spoiled, times) = Dose.clicks(voice, db: -60)
    let clicks = try Clicks(in: spoiled).clicks
    #expect(clicks.count == times.count)
    #expect(clicks.allSatisfy { abs($0.levelDbfs + 60) < 1 }, "\(clicks.map(\.levelDbfs))")
  }

  /// A splice that moves the sound by a known step.
  @Test func theLevelOfAStepIsItsSize() throws {
    var voice = TestVoice(seconds: 2, noiseDb: -60) { _ in 200 }.signal()
    for i in 40_000..<voice.count { voice.samples[i] += 0.05 }
    let clicks = try Clicks(in: voice).clicks
    #expect(clicks.map { Int(($0.timeSeconds * 48_000).rounded()) } == [40_000])
    #expect(abs(try #require(clicks.first).levelDbfs - 20 * log10(0.05)) < 2)
  }

  /// Clicks of known level in noise of -70 dBFS: 40 standard deviations are found, 2 are not.
  @Test func softClicksAreFoundInSoftNoise() throws {
    let noise = Dose.noise(seconds: 8, rms: 3e-4)
    let (loud, times) = Dose.clicks(noise, db: -40)
    #expect(try found(loud, of: times) == times.count)
    #expect(try Clicks(in: Dose.clicks(noise, db: -66).0).clicks.isEmpty)
  }

  /// Typical faults of a pitch shifter: steps at splices, a lost block, zeroed samples.
  @Test func splicesAndLostBlocksClickAtTheirEdges() throws {
    let voice = TestVoice(seconds: 3, noiseDb: -60) { _ in 220 }.signal()
    #expect(try Clicks(in: voice).clicks.isEmpty)
    var jumped = voice
    jumped.samples.removeSubrange(60_000..<60_077)
    #expect(try found(jumped, of: [60_000 / 48_000]) == 1)
    var lost = voice
    for i in 70_000..<70_256 { lost.samples[i] = 0 }
    #expect(try found(lost, of: [70_000 / 48_000, 70_256 / 48_000]) == 2)
    var zeroed = voice
    for i in 80_010..<80_014 { zeroed.samples[i] = 0 }
    #expect(try found(zeroed, of: [80_012 / 48_000]) == 1)
  }

  @Test func clicksOfTheInputAreExcluded() throws {
    let noise = Dose.noise(seconds: 4, rms: 1e-3)
    let input = Dose.clicks(noise, db: -20).0
    var output = Signal([Float](repeating: 0, count: 480) + input.samples, sampleRateHz: 48_000)
    output.samples[150_000] += 0.1
    let all = try Clicks(in: output)
    let own = try all.excluding(Clicks(in: input), delaySeconds: 0.01)
    #expect(all.clicks.count == 5)
    #expect(own.clicks.map(\.timeSeconds) == [150_000 / 48_000])
  }

  @Test func unusualSoundsHaveAResultOrThrow() {
    for (name, signal) in Dose.awkward {
      guard let found = try? Clicks(in: signal) else { continue }
      #expect(found.clicks.allSatisfy { $0.levelDbfs.isFinite }, "\(name)")
    }
  }
}
