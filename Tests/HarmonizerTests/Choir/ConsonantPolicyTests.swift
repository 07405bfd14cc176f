import Analyzer
import DSP
import Foundation
import Testing

@testable import Harmonizer

/// A vowel, an s of 200 ms and a vowel, through three voices of every engine with each policy.
@Suite struct ConsonantPolicyTests {
  static let engines: [Engine] = [
    .delayLine(.init { ($0.windowMs, $0.crossfadeMs) = (20, 10) }), Engine(.psola),
    .psola(.init { $0.lookAheadPeriods = 0 }), Engine(.vocoder),
  ]

  static let input: [Float] = {
    let vowel = DirectedHarmonizerTests.voice(seconds: 0.4) { _ in 57 }
    var noise = SeededGenerator(seed: 5)
    var last = 0.0
    // The difference of successive noise values is high-pass noise, like an s.
    let s = (0..<9_600).map { _ -> Float in
      let now = noise.uniform() - 0.5
      defer { last = now }
      return Float(0.3 * (now - last))
    }
    return vowel + s + vowel
  }()

  /// The part of the s, 20 to 160 ms into it, that fades at its edges don't reach: they take 7 ms, and
  /// begin at most 6 ms late, with look-ahead 0 at most 12.
  static let middle = 19_200 + 960..<19_200 + 7_680

  static func levelDb(_ samples: some Sequence<Float>) -> Double {
    10 * log10(samples.reduce(1e-12) { $0 + Double($1) * Double($1) })
  }

  /// The level of each voice while the s leaves the engine, in dB relative to the s.
  static func levels(_ engine: Engine, _ policy: ConsonantPolicy) throws -> [Double] {
    let (stems, late) = try stems(engine, policy)
    return stems.map { levelDb($0[middle.lowerBound + late..<middle.upperBound + late]) - s }
  }

  static let s = levelDb(input[middle])

  static func stems(
    _ engine: Engine, _ policy: ConsonantPolicy
  ) throws -> (stems: [[Float]], late: Int) {
    var voices = [4.0, 7, -5].map { Harmonizer.Voice(intervalSemitones: $0) }
    for voice in voices.indices { voices[voice].consonants = policy }
    let settings = Harmonizer.Settings(voices: voices, engine: engine)
    let late = try Harmonizer(settings, sampleRateHz: 48_000).latencySamples
    return (try DirectedHarmonizerTests.stems(settings, input), late)
  }

  /// Every voice contains the s at its level. A delay line loses 3 dB of noise that rises by 6 dB
  /// an octave through linear interpolation, and up to 1.8 dB in linear crossfades of uncorrelated
  /// sounds. Overlap-add sometimes takes noise for voiced sound, whose grains leave gaps: 2 dB. The
  /// vocoder loses less than 1 dB.
  @Test(arguments: zip(engines, [4.8, 2, 2, 1]))
  func keptConsonantsAreInEachVoice(engine: Engine, lossDb: Double) throws {
    for level in try Self.levels(engine, .kept) {
      #expect(level > -lossDb && level < 0.5, "\(level) dB")
    }
  }

  /// The offline engine transposes what may be a voice, but what is likelier a consonant is one to the gates.
  @Test func aPitchInDoubtIsNoVoice() {
    let track = PitchTrack(
      hopSeconds: 0.002_5, f0Hz: .init(repeating: 220, count: 400),
      voicing: (0..<400).map { $0 < 200 ? 0.1 : 0.9 })
    let second = Signal([Float](repeating: 0, count: 48_000), sampleRateHz: 48_000)
    let lead = LeadPitchHistory(of: KnownLead(track, of: second), sampleRateHz: 48_000)
    #expect(!lead.isVoiced(atSample: 12_000) && lead.isVoiced(atSample: 36_000))
    #expect(lead.pitch(atSample: 12_000).map { abs($0 - 57) < 1e-9 } == true)
  }

  /// Gated voices are exactly zero during the s.
  @Test(arguments: engines) func gatedIsSilentInEachVoice(engine: Engine) throws {
    let (stems, late) = try Self.stems(engine, .gated)
    for stem in stems {
      #expect(
        stem[Self.middle.lowerBound + late..<Self.middle.upperBound + late].allSatisfy { $0 == 0 })
    }
  }

  /// The first voice passes the lead's s bit for bit, delayed like the engine; the others are
  /// silent.
  @Test(arguments: engines) func passedOnceReturnsTheLeadsConsonant(engine: Engine) throws {
    let (stems, late) = try Self.stems(engine, .passedOnce)
    let heard = Self.middle.lowerBound + late..<Self.middle.upperBound + late
    #expect(Array(stems[0][heard]) == Array(Self.input[Self.middle]))
    for stem in stems[1...] { #expect(stem[heard].allSatisfy { $0 == 0 }) }
  }

  /// A dry lead at full level has the s, at the same time; the voice adds none of it.
  @Test(arguments: engines) func theDryLeadHasTheConsonant(engine: Engine) throws {
    var voice = Harmonizer.Voice(intervalSemitones: 4)
    voice.consonants = .passedOnce
    var harmonizer = try Harmonizer(
      Harmonizer.Settings(voices: [voice], dryGain: 1, engine: engine), sampleRateHz: 48_000)
    let late = harmonizer.latencySamples
    let mix = harmonizer.render(Self.input)
    let heard = Self.middle.lowerBound + late..<Self.middle.upperBound + late
    #expect(Array(mix[heard]) == Array(Self.input[Self.middle]))
  }

  /// Vowels have the same level under each policy, within 0.1 dB of the policy `kept`, from 100 ms
  /// after they begin.
  @Test(arguments: engines, [ConsonantPolicy.gated, .passedOnce])
  func vowelsAreIndependentOfThePolicy(engine: Engine, policy: ConsonantPolicy) throws {
    let kept = try Self.stems(engine, .kept).stems
    let stems = try Self.stems(engine, policy).stems
    for (stem, whole) in zip(stems, kept) {
      for vowel in [9_600..<19_200, 33_600..<48_000] {
        #expect(abs(Self.levelDb(stem[vowel]) - Self.levelDb(whole[vowel])) < 0.1)
      }
    }
  }
}
