import Analyzer
import Corpus
import DSP
import Foundation
import Music

/// A subject on the bench: asks every kind of subject for the same things.
///
/// A harmonizer is asked for an interval; a subject that only sings notes, such as a tuner, for the
/// note that lies that interval above the lead.
public struct ProbeBench: Sendable {
  public let subject: any Subject
  public let settings: SubjectSettings
  public let takesIntervals: Bool

  /// - Throws: where the settings can't be honoured, or the subject sings nothing that a bench has.
  public init(_ subject: any Subject, settings: SubjectSettings = [:]) throws {
    (self.subject, self.settings) = (subject, settings)
    do {
      try subject.validate(settings, for: Self.interval(4))
      takesIntervals = true
    } catch let refusal {
      do { try subject.validate(settings, for: Self.note(61)) } catch {
        // A setting that is wrong is wrong either way; the first refusal names it for harmonizers.
        throw subject is any LiveSubject ? error : refusal
      }
      takesIntervals = false
    }
  }

  /// Why the subject can't render a tone; `nil` where it can.
  public var refusal: String? {
    do {
      let tone = ProbeSounds.steady(hz: 220, seconds: 0.5, sampleRateHz: 48_000)
      _ = try render(tone, score(noteHz: 220, semitones: 4))
      return nil
    } catch { return "\(error)" }
  }

  /// Of subjects of this package, which can be held at work.
  package var live: (any LiveSubject)? { subject as? any LiveSubject }

  private static func interval(_ semitones: Double) -> Score {
    Score(id: "probe", intervalsSemitones: [semitones])
  }

  private static func note(_ number: Double) -> Score {
    Score(id: "probe", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(number)])]))
  }

  /// - Parameter noteHz: what the lead sings.
  package func score(noteHz: Double, semitones: Double) -> ResolvedScore {
    resolved(
      takesIntervals
        ? Self.interval(semitones) : Self.note(NoteNumber(hz: noteHz).semitones + semitones),
      noteHz: noteHz)
  }

  package func score(intervals: [Double]) -> ResolvedScore {
    resolved(Score(id: "probe", intervalsSemitones: intervals), noteHz: 220)
  }

  /// What costs are measured on: two voices, or a tuner that follows.
  package var usualScore: ResolvedScore {
    takesIntervals ? score(intervals: [4, 7]) : followingScore(noteHz: 220, semitones: 0)
  }

  /// What makes the output follow the lead: an interval, or the nearest semitone.
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

  /// One voice of the subject, and what it states.
  package func render(
    _ signal: Signal, _ score: ResolvedScore, _ others: SubjectSettings = [:]
  ) throws -> Rendering {
    try subject.render(
      RenderRequest(
        signal: signal, score: score, settings: settings.merging(others) { $1 },
        recording: "probe", condition: Condition.clean.canonical))
  }
}
