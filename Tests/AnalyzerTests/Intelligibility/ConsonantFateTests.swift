import DSP
import Foundation
import Singer
import Testing

@testable import Analyzer

@Suite struct ConsonantFateTests {
  private let voice: Signal
  private let phones: [ConsonantFate.Phone]

  init() throws {
    let (signal, truth) = try Dose.song("fricatives-alto")
    let (stops, stopTruth) = try Dose.song("stops-tenor")
    voice = Signal(signal.samples + stops.samples, sampleRateHz: 48_000)
    let later = signal.durationSeconds
    let manners: [Phone.Manner] = [.fricative, .voicelessStop]
    func phones(_ truth: Truth, _ shift: Double) -> [ConsonantFate.Phone] {
      truth.phones.filter { manners.contains($0.phone.manner) }.map {
        ConsonantFate.Phone(
          onsetSeconds: $0.onsetSeconds + shift, offsetSeconds: $0.offsetSeconds + shift,
          label: $0.phone.rawValue)
      }
    }
    self.phones = phones(truth, 0) + phones(stopTruth, later)
  }

  /// The voice with every second consonant changed.
  private func spoiled(_ change: (inout [Float], Range<Int>) -> Void) -> Signal {
    var samples = voice.samples
    for phone in phones.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
      change(&samples, Int(phone.onsetSeconds * 48_000)..<Int(phone.offsetSeconds * 48_000))
    }
    return Signal(samples, sampleRateHz: 48_000)
  }

  private func fates(_ output: Signal, delaySeconds: Double = 0) throws -> [ConsonantFate.Fate?] {
    try ConsonantFate(of: phones, in: output, from: voice, delaySeconds: delaySeconds)
      .consonants.map(\.fate)
  }

  private func expect(_ fate: ConsonantFate.Fate, _ found: [ConsonantFate.Fate?]) {
    for (index, value) in found.enumerated() {
      #expect(value == (index % 2 == 0 ? fate : .kept), "\(phones[index].label) \(index)")
    }
  }

  @Test func unchangedConsonantsAreKept() throws {
    #expect(phones.count > 10)
    #expect(try fates(voice).allSatisfy { $0 == .kept })
    let late = Signal(
      [Float](repeating: 0, count: 960) + voice.samples.map { $0 * 0.3 }, sampleRateHz: 48_000)
    #expect(try fates(late, delaySeconds: 0.02).allSatisfy { $0 == .kept })
  }

  /// Labels of hand-made files may end before they begin, or lie after the sound.
  @Test(arguments: [(0.5, 0.4), (-1, -0.5), (1e3, 1e3 + 0.1), (.nan, 0.1)])
  func phonesOutsideTheSoundHaveNoFate(span: (Double, Double)) throws {
    let phone = ConsonantFate.Phone(onsetSeconds: span.0, offsetSeconds: span.1, label: "s")
    let found = try ConsonantFate(of: [phone] + phones, in: voice, from: voice).consonants
    #expect(found[0].fate == nil && found[1...].allSatisfy { $0.fate == .kept })
  }

  @Test func removedConsonantsAreLost() throws {
    let output = spoiled { samples, range in for i in range { samples[i] *= 0.1 } }
    let found = try ConsonantFate(of: phones, in: output, from: voice)
    expect(.lost, found.consonants.map(\.fate))
    let consonants = (phones.count + 1) / 2
    #expect(found.share(.lost) == Double(consonants) / Double(phones.count))
    #expect(found.share(.lost, of: ["no such label"]) == nil)
  }

  /// All consonants softer by 12 dB among unchanged vowels are lost, although all changed equally.
  /// A whole sound that is 12 dB softer loses none.
  @Test func allConsonantsMayBeLost() throws {
    var dulled = voice.samples
    for phone in phones {
      for i in Int(phone.onsetSeconds * 48_000)..<Int(phone.offsetSeconds * 48_000) {
        dulled[i] *= 0.25
      }
    }
    let found = try ConsonantFate(of: phones, in: Signal(dulled, sampleRateHz: 48_000), from: voice)
    // Smoothing of 4 ms lets sound from outside a phone's ends reach into it.
    for consonant in found.consonants {
      #expect(abs(try #require(consonant.levelChangeDb) + 12.04) < 1.5, "\(consonant)")
    }
    #expect(try #require(found.share(.lost)) == 1)
    let softer = Signal(voice.samples.map { $0 * 0.25 }, sampleRateHz: 48_000)
    #expect(try fates(softer).allSatisfy { $0 == .kept })
  }

  @Test func repeatedConsonantsAreDoubled() throws {
    let output = spoiled { samples, range in
      for i in range { samples[i + 1200] += 0.9 * voice.samples[i] }
    }
    let found = try ConsonantFate(of: phones, in: output, from: voice)
    expect(.doubled, found.consonants.map(\.fate))
    for consonant in found.consonants where consonant.fate == .doubled {
      #expect(abs((consonant.copyDelayMs ?? 0) - 25) < 4, "\(consonant)")
    }
  }

  @Test func prolongedConsonantsAreSmeared() throws {
    let output = spoiled { samples, range in
      var alone = Signal([Float](repeating: 0, count: range.count + 9600), sampleRateHz: 48_000)
      for i in range { alone.samples[i - range.lowerBound] = voice.samples[i] }
      let drawn = Dose.smeared(alone, decayMs: 40)
      for i in drawn.samples.indices where range.lowerBound + i < samples.count {
        let place = range.lowerBound + i
        samples[place] += drawn.samples[i] - (range ~= place ? voice.samples[place] : 0)
      }
    }
    try expect(.smeared, fates(output))
  }

  /// The same articulation at another pitch keeps its consonants.
  @Test(arguments: [-7.0, 4])
  func anotherPitchKeepsTheConsonants(semitones: Double) throws {
    let moved =
      try Dose.song("fricatives-alto", semitones: semitones).0.samples
      + Dose.song("stops-tenor", semitones: semitones).0.samples
    #expect(try fates(Signal(moved, sampleRateHz: 48_000)).allSatisfy { $0 == .kept })
  }

  @Test func unusualSoundsHaveAResultOrThrow() throws {
    for (_, signal) in Dose.awkward {
      let found = try? ConsonantFate(of: phones, in: signal, from: signal)
      for consonant in found?.consonants ?? [] {
        #expect(consonant.levelChangeDb?.isFinite != false)
      }
    }
  }
}
