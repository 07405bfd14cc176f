import Analyzer
import DSP
import EvaluationSupport
import Harmonizer
import Platform
import Statistics
import Testing

@testable import Corpus
@testable import Subjects

@Suite struct PresetSubjectTests {
  private static let voice = KnownVoice(seconds: 1.5, f0Hz: { 220 + 4 * $0 }).signal()

  private func render(_ name: String) throws -> (PresetSubject, Rendering) {
    let subject = try PresetSubject(id: "preset:" + name)
    let lead = PitchTracker.standard.track(Self.voice)
    let score = ResolvedScore(subject.score, lead: lead)
    return (subject, try subject.render(Self.voice, score: score, settings: [:]))
  }

  @Test func aPresetSingsItsOwnVoices() throws {
    let (subject, rendering) = try render("octaves")
    #expect(subject.score.voiceLabels == ["-12", "+12"] && rendering.stems.count == 2)
    let heard = PitchTracker.standard.track(rendering.stems[1])
    let lead = PitchTracker.standard.track(Self.voice)
    let (up, own) = (
      Statistics.median(heard.f0Hz.filter { $0 > 0 })!,
      Statistics.median(lead.f0Hz.filter { $0 > 0 })!
    )
    #expect(abs(up / own - 2) < 0.01)
  }

  /// The measured sound is the player's, with both channels averaged.
  @Test(arguments: ["telephone", "gentle-tune"])
  func itSoundsAsThePlayerDoes(name: String) throws {
    let (subject, rendering) = try render(name)
    let player = try PresetPlayer(subject.preset, sampleRateHz: Self.voice.sampleRateHz)
    var (left, right) = (Self.voice.samples, Self.voice.samples)
    player.process(&left, &right, blockSize: 128)
    // Sums in another order differ in the last bits.
    let most = zip(zip(left, right), rendering.mix.samples)
      .map { abs(0.5 * ($0.0 + $0.1) - $1) }.max()!
    #expect(most < 1e-4)
  }

  @Test(arguments: [
    ("slow", "changes the speed"), ("keys", "follow played keys"),
    ("no-such", "there is no preset"),
  ])
  func whatCantBeMeasuredIsRefused(name: String, words: String) {
    expectError(words) { try PresetSubject(id: "preset:" + name) }
  }

  @Test func anotherScoreIsRefused() throws {
    let subject = try PresetSubject(id: "preset:vader")
    #expect(throws: Refusal.self) {
      try subject.validate([:], for: Score(id: "third", intervalsSemitones: [4]))
    }
  }
}
