import Analyzer
import Corpus
import DSP
import Foundation
import Music

/// A test bench that makes the same requests of every kind of subject.
///
/// A harmonizer gets an interval; a subject that only sings notes, such as a tuner, gets the note at
/// that interval above the lead. A tuner that is told a key gets A major, and a harmonizer that is told
/// degrees the first degree: their output follows the lead at its own pitch.
public struct ProbeBench: Sendable {
  /// The scores that a subject accepts.
  package enum Request: Equatable, Sendable {
    /// One interval, or one for each of several voices if the subject has a fixed number.
    case intervals(voices: Int)
    case note, key
    case degrees(voices: Int)
    case map
    /// The pitch of the input.
    case effect
  }

  public let subject: any Subject
  public let settings: SubjectSettings
  package let request: Request

  public var takesIntervals: Bool { if case .intervals = request { true } else { false } }

  /// True if the output may be asked to lie away from the lead.
  package var takesShifts: Bool { takesIntervals || request == .note }

  /// Puts a subject on the bench.
  ///
  /// - Parameter orEffect: true to accept a subject that is told no pitch.
  /// - Throws: the subject's error if it refuses all requests.
  public init(_ subject: any Subject, settings: SubjectSettings = [:], orEffect: Bool = false)
    throws
  {
    (self.subject, self.settings) = (subject, settings)
    func refusal(of score: Score) -> (any Error)? {
      do { try subject.validate(settings, for: score) } catch { return error }
      return nil
    }
    let refusals = (interval: refusal(of: Self.intervals(1)), note: refusal(of: Self.note(61)))
    guard let first = refusals.interval else {
      request = .intervals(voices: 1)
      return
    }
    guard refusals.note != nil else {
      request = .note
      return
    }
    let voices = 1...VoiceAllocation.voiceLimit
    if let count = voices.first(where: { refusal(of: Self.intervals($0)) == nil }) {
      request = .intervals(voices: count)
    } else if refusal(of: Self.tuned) == nil {
      request = .key
    } else if let count = voices.first(where: { refusal(of: Self.degrees($0)) == nil }) {
      request = .degrees(voices: count)
    } else if refusal(of: Self.map) == nil {
      request = .map
    } else if orEffect, refusal(of: Self.intervals(1, semitones: 0)) == nil {
      request = .effect
    } else {
      // Every refusal names an invalid setting. If all settings are valid, the refusal of the
      // request that suits the kind of subject says most.
      let receivesKey = subject.external?.receivesKey == true
      throw subject.external == nil
        ? refusals.note ?? first : receivesKey ? refusal(of: Self.tuned) ?? first : first
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

  /// Returns a score of voices in unison.
  static func intervals(_ voices: Int, semitones: Double = 4) -> Score {
    Score(id: "probe", intervalsSemitones: Array(repeating: semitones, count: voices))
  }

  private static func note(_ number: Double) -> Score {
    Score(id: "probe", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(number)])]))
  }

  /// A key with the notes of the probe sounds.
  private static let key = try! Key(named: "A major")

  static let tuned = Score(id: "probe", .tuned(key))

  static func degrees(_ voices: Int) -> Score {
    Score(id: "probe", .degrees(Array(repeating: 1, count: voices), of: key))
  }

  static let map = Score(id: "probe", .map(try! LeadMap(["others": [0]])))

  /// Returns a score at an interval above a steady lead, or of the lead's own pitch for subjects that
  /// can't shift.
  ///
  /// - Parameter noteHz: the lead's pitch.
  package func score(noteHz: Double, semitones: Double) -> ResolvedScore {
    let score =
      switch request {
      case .intervals(let voices): Self.intervals(voices, semitones: semitones)
      case .note: Self.note(NoteNumber(hz: noteHz).semitones + semitones)
      case .key: Self.tuned
      case .degrees(let voices): Self.degrees(voices)
      case .map: Self.map
      case .effect: Self.intervals(1, semitones: 0)
      }
    return resolved(score, noteHz: noteHz)
  }

  package func score(intervals: [Double]) -> ResolvedScore {
    resolved(Score(id: "probe", intervalsSemitones: intervals), noteHz: 220)
  }

  /// The score that costs are measured on: two voices, or as many as the subject has, or a tuner that
  /// follows the lead.
  package var defaultScore: ResolvedScore {
    guard case .intervals(let voices) = request else {
      return followingScore(noteHz: 220, semitones: 0)
    }
    let two = Score(id: "probe", intervalsSemitones: [4, 7])
    guard voices == 1, (try? subject.validate(settings, for: two)) != nil else {
      return score(noteHz: 220, semitones: 4)
    }
    return resolved(two, noteHz: 220)
  }

  /// Returns a score whose output follows the lead: an interval, or the nearest semitone.
  package func followingScore(noteHz: Double, semitones: Double) -> ResolvedScore {
    request == .note
      ? resolved(Score(id: "probe", .tuned(.chromatic)), noteHz: noteHz)
      : score(noteHz: noteHz, semitones: semitones)
  }

  package func resolved(_ score: Score, noteHz: Double) -> ResolvedScore {
    let frames = 6000  // 30 s, longer than any probe sound
    return ResolvedScore(
      score, lead: PitchTrack(hopSeconds: 0.005, f0Hz: Array(repeating: noteHz, count: frames)))
  }

  /// Renders a probe sound, with further settings.
  ///
  /// - Parameter turns: later scores, to whose control values the host of a plugin turns.
  package func render(
    _ signal: Signal, _ score: ResolvedScore, _ others: SubjectSettings = [:],
    turningTo turns: [(atSeconds: Double, score: ResolvedScore)] = []
  ) throws -> Rendering {
    var request = RenderRequest(
      signal: signal, score: score, settings: settings.merging(others) { $1 },
      recording: "probe", condition: Condition.clean.canonical)
    request.turns = turns
    return try subject.render(request)
  }
}

extension SubjectSettings {
  /// Frames of a block: the setting `blockSize`, or 128.
  package var blockSize: Int { self["blockSize"]?.number.flatMap { Int(exactly: $0) } ?? 128 }
}
