import Analyzer
import Corpus
import DSP
import Foundation
import Music

/// A test bench that makes the same requests of every kind of subject.
///
/// A harmonizer gets an interval; a subject that only sings notes, such as a tuner, gets the note at
/// that interval above the lead.
public struct ProbeBench: Sendable {
  public let subject: any Subject
  public let settings: SubjectSettings
  public let takesIntervals: Bool

  /// Puts a subject on the bench.
  ///
  /// - Throws: the subject's error if it refuses both an interval and a note.
  public init(_ subject: any Subject, settings: SubjectSettings = [:]) throws {
    (self.subject, self.settings) = (subject, settings)
    do {
      try subject.validate(settings, for: Self.interval(4))
      takesIntervals = true
    } catch let refusal {
      do { try subject.validate(settings, for: Self.note(61)) } catch {
        // Both refusals name an invalid setting; for other programs the first one fits better.
        throw subject is any LiveSubject ? error : refusal
      }
      takesIntervals = false
    }
  }

  /// The subject's error in rendering a tone; `nil` if it succeeds.
  public var refusal: (any Error)? {
    do {
      let tone = ProbeSounds.steady(hz: 220, seconds: 0.5, sampleRateHz: 48_000)
      _ = try render(tone, score(noteHz: 220, semitones: 4))
      return nil
    } catch { return error }
  }

  /// The subject, if it runs live.
  package var live: (any LiveSubject)? { subject as? any LiveSubject }

  private static func interval(_ semitones: Double) -> Score {
    Score(id: "probe", intervalsSemitones: [semitones])
  }

  private static func note(_ number: Double) -> Score {
    Score(id: "probe", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(number)])]))
  }

  /// Returns a score of one voice at an interval above a steady lead.
  ///
  /// - Parameter noteHz: the lead's pitch.
  package func score(noteHz: Double, semitones: Double) -> ResolvedScore {
    resolved(
      takesIntervals
        ? Self.interval(semitones) : Self.note(NoteNumber(hz: noteHz).semitones + semitones),
      noteHz: noteHz)
  }

  package func score(intervals: [Double]) -> ResolvedScore {
    resolved(Score(id: "probe", intervalsSemitones: intervals), noteHz: 220)
  }

  /// The score that costs are measured on: two voices, or a tuner that follows the lead.
  package var defaultScore: ResolvedScore {
    takesIntervals ? score(intervals: [4, 7]) : followingScore(noteHz: 220, semitones: 0)
  }

  /// Returns a score whose output follows the lead: an interval, or the nearest semitone.
  package func followingScore(noteHz: Double, semitones: Double) -> ResolvedScore {
    takesIntervals
      ? score(noteHz: noteHz, semitones: semitones)
      : resolved(Score(id: "probe", .tuned(.chromatic)), noteHz: noteHz)
  }

  package func resolved(_ score: Score, noteHz: Double) -> ResolvedScore {
    let frames = 6000  // 30 s, longer than any probe sound
    return ResolvedScore(
      score,
      lead: PitchTrack(
        hopSeconds: 0.005, f0Hz: Array(repeating: noteHz, count: frames),
        voicing: Array(repeating: 1, count: frames)))
  }

  /// Renders a probe sound, with further settings.
  package func render(
    _ signal: Signal, _ score: ResolvedScore, _ others: SubjectSettings = [:]
  ) throws -> Rendering {
    try subject.render(
      RenderRequest(
        signal: signal, score: score, settings: settings.merging(others) { $1 },
        recording: "probe", condition: Condition.clean.canonical))
  }
}
