import Analyzer
import DSP
import EvaluationSupport
import Foundation
import Music
import Statistics
import Testing

@testable import Corpus
@testable import Subjects

@Suite struct LeadMapTests {
  @Test func isReadFromTextAndYAMLAlike() throws {
    let text = try LeadMap(parsing: "C: 4,7; Db:3,-\n# Eb: 1,1\nothers:-12,12")
    #expect(text.voices.count == 2)
    #expect(text.interval(ofVoice: 0, aboveKey: 60) == 4)
    #expect(text.interval(ofVoice: 0, aboveKey: 61) == 3)
    #expect(text.interval(ofVoice: 1, aboveKey: 49) == nil)
    #expect(text.interval(ofVoice: 1, aboveKey: 63) == 12)
    let yaml = try score("id: x\nmap:\n  C: [4, 7]\n  C#: [3, null]\n  others: [-12, 12]")
    #expect(yaml.form == .map(text))
    #expect(yaml.voiceLabels == ["voice 1", "voice 2"])
    let again = try JSONDecoder().decode(Score.self, from: JSONEncoder().encode(yaml))
    #expect(again == yaml)
  }

  @Test(arguments: [
    ("", "the map is empty"), ("C", "is no note with intervals"), ("C:4;C:3", "C occurs twice"),
    ("C:4;B#:3", "C occurs twice"), ("C:4,7;D:1", "D has 1 of 2 voices"), ("C:49", "-48 to 48"),
    ("C:4.5", "'4.5' of C"), ("Q:4", "'Q' is no pitch"),
  ])
  func whatIsWrongIsSaid(text: String, words: String) {
    expectError(words) { try LeadMap(parsing: text) }
  }

  /// The lead sings C4, D4, C4; the voice is a third above C and silent above D.
  @Test func targetsFollowTheLeadsNote() throws {
    let hz = [60.1, 61.8, 60.0].flatMap { Array(repeating: NoteNumber($0).hz, count: 100) }
    let lead = PitchTrack(hopSeconds: 0.005, f0Hz: hz)
    let resolved = ResolvedScore(try score("id: x\nmap:\n  C: [4]"), lead: lead)
    #expect(resolved.followsLead)
    let segments = try #require(resolved.voices.first)
    #expect(segments.map(\.startSeconds) == [0, 1])
    #expect(segments.map(\.endSeconds) == [0.5, .infinity])
    let target = try #require(resolved.targetHz(ofVoice: 0, atSeconds: 0.2, delaySeconds: 0))
    #expect(abs(cents(target, over: NoteNumber(64.1).hz)) < 1e-6)
    #expect(resolved.targetHz(ofVoice: 0, atSeconds: 0.7, delaySeconds: 0) == nil)
  }

  /// The harmonizer sings the score's notes with either source of the lead's pitch.
  @Test(arguments: LeadPitch.allCases) func itIsSung(leadPitch: LeadPitch) throws {
    let rendering = try ScoreSubjectTests.render(
      "id: x\nmap:\n  C: [7, null]\n  others: [0, 0]", leadPitch: leadPitch)
    let track = PitchTracker.standard.track(rendering.stems[0])
    let errors = track.f0Hz[200...700].map { cents($0, over: NoteNumber(67).hz) }
    #expect(abs(try #require(Statistics.median(errors))) < 12)
    #expect(rendering.stems[1].samples[48_000..<96_000].allSatisfy { $0 == 0 })
  }
}
