import DSP
import Foundation
import Testing

@testable import Harmonizer

/// A vowel, an s of 200 ms and a vowel, sung by three voices of every engine under each policy.
@Suite struct ConsonantPolicyTests {
  static let engines: [Engine] = [
    .delayLine(.init(windowMs: 20, crossfadeMs: 10)), Engine(.psola),
    .psola(.init(lookAheadPeriods: 0)), Engine(.vocoder),
  ]

  static let input: [Float] = {
    let vowel = DirectedHarmonizerTests.voice(seconds: 0.4) { _ in 57 }
    var noise = SeededGenerator(seed: 5)
    var last = 0.0
    // Differences of noise: high, as an s is.
    let s = (0..<9_600).map { _ -> Float in
      let now = noise.uniform() - 0.5
      defer { last = now }
      return Float(0.3 * (now - last))
    }
    return vowel + s + vowel
  }()

  /// What is left of the s at the most: 60 to 160 ms into it, where windows and fades are over.
  static let middle = 19_200 + 2_880..<19_200 + 7_680

  static func levelDb(_ samples: some Sequence<Float>) -> Double {
    10 * log10(samples.reduce(1e-12) { $0 + Double($1) * Double($1) })
  }

  /// How loud each voice is while the s leaves the engine, against the s itself.
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

  /// Every voice has the s, as loud as it was sung. Of one that rises by 6 dB an octave a delay line
  /// loses 3 dB, for it reads between samples on straight lines, and up to 1.8 dB in its crossfades,
  /// also straight, of sounds that have nothing in common. Overlap-add now and then takes noise for
  /// a voice, whose grains lie in gaps: 2 dB. The vocoder passes it.
  @Test(arguments: zip(engines, [4.8, 2, 2, 1]))
  func keptIsKeptInEachVoice(engine: Engine, lossDb: Double) throws {
    for level in try Self.levels(engine, .kept) {
      #expect(level > -lossDb && level < 0.5, "\(level) dB")
    }
  }

  /// Silent to the bit.
  @Test(arguments: engines) func gatedIsSilentInEachVoice(engine: Engine) throws {
    let (stems, late) = try Self.stems(engine, .gated)
    for stem in stems {
      #expect(
        stem[Self.middle.lowerBound + late..<Self.middle.upperBound + late].allSatisfy { $0 == 0 })
    }
  }

  /// The first voice has the lead's own s, bit for bit, as late as the engine; the others are silent.
  @Test(arguments: engines) func passedOnceIsTheLeadsOwn(engine: Engine) throws {
    let (stems, late) = try Self.stems(engine, .passedOnce)
    let heard = Self.middle.lowerBound + late..<Self.middle.upperBound + late
    #expect(Array(stems[0][heard]) == Array(Self.input[Self.middle]))
    for stem in stems[1...] { #expect(stem[heard].allSatisfy { $0 == 0 }) }
  }

  /// The vowels are as loud under each policy: within 0.1 dB of the voices that are kept, 100 ms
  /// after they begin.
  @Test(arguments: engines, [ConsonantPolicy.gated, .passedOnce])
  func vowelsAreAsTheyWere(engine: Engine, policy: ConsonantPolicy) throws {
    let kept = try Self.stems(engine, .kept).stems
    let stems = try Self.stems(engine, policy).stems
    for (stem, whole) in zip(stems, kept) {
      for vowel in [9_600..<19_200, 33_600..<48_000] {
        #expect(abs(Self.levelDb(stem[vowel]) - Self.levelDb(whole[vowel])) < 0.1)
      }
    }
  }
}
