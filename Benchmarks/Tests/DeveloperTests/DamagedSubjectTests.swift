import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Statistics
import Testing

@testable import Corpus
@testable import Subjects
@testable import choir_dev

/// One thing is wrong, everything else as it was.
@Suite struct DamagedSubjectTests {
  private static let reference = ReferenceSubject()
  private static let settings: SubjectSettings = ["engine": .text("psola")]
  /// A voice of 1.2 s, then 2.3 s of silence.
  private static let sound: Signal = {
    let voice = KnownVoice(seconds: 1.2) { _ in 180 }.signal()
    return Signal(
      voice.samples + [Float](repeating: 0, count: 110_400), sampleRateHz: voice.sampleRateHz)
  }()
  private static let score: ResolvedScore = {
    let frames = 700
    let f0Hz = (0..<frames).map { $0 < 240 ? 180.0 : 0 }
    return ResolvedScore(
      Score(id: "chord", intervalsSemitones: [-5, 4]),
      lead: PitchTrack(hopSeconds: 0.005, f0Hz: f0Hz))
  }()
  private static let right = try! reference.render(sound, score: score, settings: settings)

  private func wrong(_ kind: Damage.Kind, _ dose: Double, _ place: Damage.Place) throws
    -> Rendering
  {
    try DamagedSubject(
      source: Self.reference, damage: Damage(kind: kind, dose: dose), place: place, seed: 3
    )
    .render(Self.sound, score: Self.score, settings: Self.settings)
  }

  private func medianHz(_ stem: Signal) -> Double {
    Statistics.median(PitchTracker.standard.track(stem).f0Hz.filter { $0 > 0 })!
  }

  /// Within what the tracker errs by, 0.1 cents, on each side.
  @Test(arguments: [3.0, 10]) func oneVoiceIsSharp(cents sharp: Double) throws {
    let found = try wrong(.detuned, sharp, .voice(1))
    let measured = cents(medianHz(found.stems[1]), over: medianHz(Self.right.stems[1]))
    #expect(abs(measured - sharp) < 0.2, "\(measured)")
    #expect(found.stems[0] == Self.right.stems[0])
    // The mix has changed by what the voice has.
    for i in stride(from: 0, to: found.mix.count, by: 97) {
      let mix = found.mix.samples[i] - Self.right.mix.samples[i]
      let stem = found.stems[1].samples[i] - Self.right.stems[1].samples[i]
      #expect(abs(mix - stem) < 1e-5)
    }
  }

  @Test func voicesSingEachOthersPart() throws {
    let found = try wrong(.swapped, 0, .voices(0, 1))
    #expect(found.stems == Self.right.stems.reversed())
  }

  /// The mix gives no stems, and its second voice is 3 dB softer than the first. So two voices that
  /// swap their lines change it, by the difference of those levels: 1 - 0.708.
  @Test func anUnevenMixShowsASwap() throws {
    func mix(_ source: any Subject) throws -> Signal {
      let found = try UnevenMix(source: source)
        .render(Self.sound, score: Self.score, settings: Self.settings)
      #expect(found.stems.isEmpty)
      return found.mix
    }
    let right = try mix(Self.reference)
    let swapped = try mix(
      DamagedSubject(
        source: Self.reference, damage: Damage(kind: .swapped), place: .voices(0, 1), seed: 3))
    let (first, second) = (Self.right.stems[0].samples, Self.right.stems[1].samples)
    for i in stride(from: 0, to: right.count, by: 97) {
      #expect(abs(right.samples[i] - (first[i] + 0.707946 * second[i])) < 1e-5)
      #expect(
        abs(swapped.samples[i] - right.samples[i] - 0.292054 * (second[i] - first[i])) < 1e-5)
    }
  }

  @Test func aMissingVoiceIsSilent() throws {
    let found = try wrong(.missing, 0, .voice(0))
    #expect(found.stems[0].samples.allSatisfy { $0 == 0 })
    #expect(found.stems[1] == Self.right.stems[1])
  }

  @Test func everythingIsLate() throws {
    let found = try wrong(.late, 1, .all)
    #expect(abs(found.mix.samples[30_048] - Self.right.mix.samples[30_000]) < 1e-6)
    #expect(found.reportedLatencyMs == Self.right.reportedLatencyMs)
  }

  @Test func sixtyFourSamplesAreStatedThatAreNotThere() throws {
    let found = try wrong(.misreported, 64, .all)
    let more = try #require(found.reportedLatencyMs) - (try #require(Self.right.reportedLatencyMs))
    #expect(abs(more - 64 / 48.0) < 1e-9)
    #expect(found.mix == Self.right.mix)
  }

  @Test func silenceGivesNoNumbers() throws {
    let found = try wrong(.notANumber, 2, .all)
    // The sound's last sample is at 1.2 s.
    let first = try #require(found.mix.firstNonFinite)
    #expect(abs(Double(first) / 48_000 - 3.2) < 0.001)
    #expect(found.stems.allSatisfy { $0.firstNonFinite == first })
  }

  @Test func formantsOfOneVoiceMove() throws {
    let found = try wrong(.formants, 5, .voice(0))
    #expect(found.stems[1] == Self.right.stems[1])
    #expect(found.stems[0] != Self.right.stems[0])
    // The pitch stays.
    #expect(abs(cents(medianHz(found.stems[0]), over: medianHz(Self.right.stems[0]))) < 0.5)
  }
}
