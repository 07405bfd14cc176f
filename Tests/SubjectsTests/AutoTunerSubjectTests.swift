import Analyzer
import DSP
import Foundation
import Harmonizer
import Music
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects

@Suite struct AutoTunerSubjectTests {
  private static let voice = Signal.harmonics(sawtooth(6, first: 0.2), of: 220 * exp2(-0.4 / 12))

  private static func resolved(_ form: Score.Form) -> ResolvedScore {
    ResolvedScore(Score(id: "s", form), lead: PitchTracker.standard.track(voice))
  }

  @Test func itIsFoundByItsName() throws {
    #expect(try Subjects.subject(id: "autotuner").id == "autotuner")
  }

  /// The target is the tone of the key nearest to the lead, and the output is on it.
  @Test func aTunedVoiceMeetsItsTarget() throws {
    let score = Self.resolved(.tuned(try Key(named: "A minor")))
    #expect(score.targetHz(ofVoice: 0, atSeconds: 0.5, leadHz: 215) == 220)
    #expect(score.followsLead)
    let rendering = try AutoTunerSubject().render(Self.voice, score: score, settings: [:])
    let heard = PitchTracker.standard.track(rendering.mix)
    let errors = heard.f0Hz[40..<180].map { abs(1200 * log2($0 / 220)) }.sorted()
    #expect(errors[70] < 1, "\(errors)")
    #expect(rendering.tuningLog?.notes.map(\.key) == [57])
  }

  @Test func notesArePlayedOnItsKeys() throws {
    let press = NoteAction(atSeconds: 0.25, press: [NoteNumber(59)])
    let score = Self.resolved(.notes([press]))
    let rendering = try AutoTunerSubject().render(Self.voice, score: score, settings: [:])
    let note = try #require(rendering.tuningLog?.notes.first)
    #expect(note.key == 59 && note.startSample >= 12_000 - 20 && note.startSample < 12_121)
  }

  @Test func whatItCannotDoIsRefusedByName() throws {
    let tuned = Score(id: "s", .tuned(try Key(named: "C major")))
    let subject = AutoTunerSubject()
    for (settings, word): (SubjectSettings, String) in [
      (["speed": .number(1)], "speed"), (["vibrato": .text("more")], "vibrato"),
      (["retuneMs": .number(-1)], "retuneMs"), (["amountPercent": .text("all")], "amountPercent"),
    ] {
      #expect { try subject.validate(settings, for: tuned) } throws: { "\($0)".contains(word) }
    }
    let chord = Score(id: "chord", intervalsSemitones: [4, 7])
    #expect { try subject.validate([:], for: chord) } throws: { "\($0)".contains("tuned") }
  }
}
