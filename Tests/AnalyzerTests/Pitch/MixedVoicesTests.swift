import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct MixedVoicesTests {
  /// Targets whose partials don't coincide.
  private static let chordHz = [164.3, 196.7, 247.1]
  private static let hop = 0.010

  /// Voices at multiples of their targets that sound between two times, with a vibrato of 40 cents.
  private func mix(
    _ ratios: [Double], silent: Int? = nil, from: Double = 0, to: Double = 9, noiseDb: Double = -30
  ) -> Signal {
    var sum = [Float](repeating: 0, count: 48_000)
    for (voice, ratio) in ratios.enumerated() {
      let sound = TestVoice(noiseDb: noiseDb, f0Hz: { ratio * Self.target(voice, $0) }).signal()
      for i in sum.indices where voice != silent || !(from..<to).contains(Double(i) / 48_000) {
        sum[i] += sound.samples[i]
      }
    }
    return Signal(sum, sampleRateHz: 48_000)
  }

  private static func target(_ voice: Int, _ time: Double) -> Double {
    chordHz[voice] * exp2(40.0 / 1200 * sin(2 * .pi * 5.5 * time + Double(voice)))
  }

  private var targets: [PitchTrack] {
    Self.chordHz.indices.map { voice in
      let f0Hz = (0..<100).map { Self.target(voice, Double($0) * Self.hop) }
      return PitchTrack(hopSeconds: Self.hop, f0Hz: f0Hz)
    }
  }

  /// Distances from the target in cents, without the ends of the sound.
  private func errors(_ voices: MixedVoices, _ voice: Int) -> [Double] {
    (10..<90).compactMap { frame in
      let hz = voices.track(ofVoice: voice).f0Hz[frame]
      return hz > 0 ? cents(hz, over: targets[voice].f0Hz[frame]) : nil
    }
  }

  /// The bound is that of the joint fit: a third of a cent with a vibrato.
  @Test(arguments: [0.0, 3, -20])
  func aDetunedVoiceIsFoundInItsPlace(offCents: Double) {
    let voices = MixedVoices(in: mix([1, exp2(offCents / 1200), 1]), around: targets)
    for voice in 0..<3 {
      let errors = errors(voices, voice)
      #expect(errors.count == 80)
      let expected = voice == 1 ? offCents : 0
      #expect(abs(errors.sorted()[40] - expected) < 0.3, "voice \(voice)")
    }
  }

  /// An octave down the harmonics of three voices lie closer than the windows separate in places.
  @Test(arguments: [2.0, 0.5], [0, 1, 2])
  func aVoiceAnOctaveOffIsHeardThere(ratio: Double, voice: Int) {
    var ratios = [1.0, 1, 1]
    ratios[voice] = ratio
    let voices = MixedVoices(in: mix(ratios), around: targets)
    for other in 0..<3 {
      let errors = errors(voices, other)
      let expected = other == voice ? 1200 * log2(ratio) : 0
      #expect(errors.count >= 76)
      let share = Double(errors.count { abs($0 - expected) < 5 }) / Double(errors.count)
      #expect(share >= (other == voice && ratio < 1 ? 0.6 : 0.9), "voice \(other)")
    }
  }

  /// A note of 300 ms is an octave up; the windows of its first and last frames reach beyond it.
  @Test(arguments: [0, 1, 2])
  func aNoteAnOctaveUpIsHeardFromEndToEnd(voice: Int) {
    let note = 0.3..<0.6
    var sum = mix([1, 1, 1], silent: voice, from: note.lowerBound, to: note.upperBound)
    let high = TestVoice(noiseDb: -30, f0Hz: { 2 * Self.target(voice, $0) }).signal()
    for i in sum.samples.indices where note.contains(Double(i) / 48_000) {
      sum.samples[i] += high.samples[i]
    }
    let track = MixedVoices(in: sum, around: targets).track(ofVoice: voice)
    let up = track.f0Hz.indices.filter {
      track.f0Hz[$0] > 0 && abs(cents(track.f0Hz[$0], over: targets[voice].f0Hz[$0]) - 1200) < 20
    }
    #expect(up.count { 31..<59 ~= $0 } >= 25)
    #expect(up.allSatisfy { 26..<64 ~= $0 })
  }

  @Test(arguments: [0, 1, 2])
  func aVoiceThatStopsIsMissingThere(voice: Int) {
    let voices = MixedVoices(
      in: mix([1, 1, 1], silent: voice, from: 0.3, to: 0.6), around: targets)
    for other in 0..<3 {
      let missing = voices.voices[other].indices.filter { voices.voices[other][$0] == .missing }
      // The shortest window reaches 12 ms to either side, the longest 64.
      let inside = missing.filter { 30..<60 ~= $0 }
      #expect(inside.count == missing.count)
      #expect(other == voice ? missing.count >= 15 : missing.isEmpty, "\(other): \(missing)")
    }
  }

  /// Voices that tremble faster than any fit follows leave something near the target of one that is silent.
  @Test(arguments: [(0, -30.0), (0, -80), (2, -80)])
  func whatOthersLeaveIsNoVoice(silent: Int, noiseDb: Double) {
    var sum = [Float](repeating: 0, count: 48_000)
    for voice in 0..<3 {
      let sound = TestVoice(noiseDb: noiseDb) { time in
        let tremble = 80 * sin(2 * .pi * (29 + 4 * Double(voice)) * time)
        return Self.target(voice, time) * exp2(tremble / 1200)
      }.signal()
      for i in sum.indices where voice != silent || !(0.3..<0.7).contains(Double(i) / 48_000) {
        sum[i] += sound.samples[i]
      }
    }
    let voices = MixedVoices(in: Signal(sum, sampleRateHz: 48_000), around: targets)
    let heard = (35..<65).filter { frame in
      if case .measured = voices.voices[silent][frame] { true } else { false }
    }
    #expect(heard.isEmpty, "\(heard)")
  }

  /// A voice at half the amplitude has a quarter of the power.
  @Test func levelsAreThoseOfTheVoices() {
    let loud = TestVoice(f0Hz: { _ in 164.3 }).signal()
    let soft = TestVoice(f0Hz: { _ in 247.1 }).signal()
    let sum = zip(loud.samples, soft.samples).map { $0 + 0.5 * $1 }
    func steady(_ hz: Double) -> PitchTrack {
      PitchTrack(hopSeconds: Self.hop, f0Hz: .init(repeating: hz, count: 100))
    }
    let voices = MixedVoices(
      in: Signal(sum, sampleRateHz: 48_000), around: [steady(164.3), steady(247.1)])
    for (voice, alone, gain) in [(0, loud, 1.0), (1, soft, 0.25)] {
      guard case .measured(let heard) = voices.voices[voice][50] else {
        Issue.record("voice \(voice) is not heard")
        continue
      }
      // Harmonics above 3.9 kHz hold less than a thousandth of these voices' power.
      let power = alone.rms * alone.rms * gain
      #expect(abs(10 * log10(heard.power / power)) < 0.1)
    }
  }

  /// Harmonics in a mix have the levels that they have alone, measured by another method. Those that
  /// coincide with the other voice's count as noise.
  @Test func harmonicsAreThoseOfTheVoice() throws {
    let voices = MixedVoices(in: mix([1, 1, 1]), around: targets)
    for voice in 0..<3 {
      let stem = TestVoice(noiseDb: -30, f0Hz: { Self.target(voice, $0) }).signal()
      let sampler = HarmonicSampler(of: stem, ceilingHz: 5000)
      var (differences, hidden) = ([Double](), 0)
      for frame in voices.harmonics[voice] where (0.1...0.9).contains(frame.timeSeconds) {
        let alone = try #require(
          sampler.levels(atSeconds: frame.timeSeconds, expectedHz: frame.f0Hz))
        hidden += frame.levelsDb.count - frame.clear.count
        for harmonic in frame.clear where alone.clear.contains(harmonic) {
          differences.append(abs(frame.levelsDb[harmonic] - alone.levelsDb[harmonic]))
        }
      }
      #expect(differences.count > 300 && hidden > 0)
      #expect(differences.sorted()[differences.count / 2] < 0.5, "voice \(voice)")
    }
  }

  /// The lower voice may sound alone where the upper one does, so nothing proves the upper one to be missing or an
  /// octave off.
  @Test(arguments: [0.0, 1], [2.0, 3])
  func aVoiceOnTheHarmonicsOfAnotherIsNowhereMissing(level: Float, multiple: Double) {
    let high = TestVoice(noiseDb: -30, f0Hz: { multiple * Self.target(0, $0) }).signal()
    let sum = zip(mix([1]).samples, high.samples).map { $0 + level * $1 }
    let octave = PitchTrack(
      hopSeconds: Self.hop, f0Hz: targets[0].f0Hz.map { multiple * $0 },
      voicing: targets[0].voicing)
    let voices = MixedVoices(in: Signal(sum, sampleRateHz: 48_000), around: [targets[0], octave])
    #expect(!voices.voices[1].contains(.missing))
    for case .measured(let heard) in voices.voices[1] { #expect(heard.isCovered) }
    for (heard, wanted) in zip(voices.track(ofVoice: 1).f0Hz, octave.f0Hz) where heard > 0 {
      #expect(abs(cents(heard, over: wanted)) < 150)
    }
  }

  @Test func unisonsAreUntold() {
    let unison = [targets[0], targets[0]]
    let voices = MixedVoices(in: mix([1, 1, 1]), around: unison)
    #expect(voices.voices[0][50] == .undecided(.hidden))
    #expect(voices.track(ofVoice: 0).f0Hz.allSatisfy { $0 == 0 })
  }

  @Test func anotherVoiceIsFoundInTheMix() {
    let (two, third) = (Array(targets.prefix(2)), targets[2])
    #expect(MixedVoices.holds(third, in: mix([1, 1, 1]), besides: two))
    #expect(!MixedVoices.holds(third, in: mix([1, 1]), besides: two))
  }
}
