import Analyzer
import Foundation
import Music
import Platform

/// The target of each voice at every instant, for one lead.
///
/// Chords, pads, notes and MIDI files name notes: a voice sings its note with its bend, independent of
/// the lead. Intervals, degrees and tones of a key follow the lead. An unvoiced lead means no target,
/// because a harmonizer then has no voice to sing with.
public struct ResolvedScore: Equatable, Sendable {
  public enum Target: Equatable, Sendable {
    /// An interval above the lead; negative is below.
    case interval(semitones: Double)
    case note(NoteNumber)
  }

  /// A span of time in which a voice has one target; between spans it is silent.
  public struct Segment: Equatable, Sendable {
    public var startSeconds: Double
    /// Infinity for a target that lasts to the end of the sound.
    public var endSeconds: Double
    public var target: Target
    /// Bends of a note from its start on; empty if it is never bent.
    public var bends: [PitchBend] = []
    /// Velocity of a note, 1 to 127.
    public var velocity = 127

    /// Returns the note at a time, with its bend; `nil` for an interval.
    func bentNote(atSeconds time: Double) -> NoteNumber? {
      guard case .note(let note) = target else { return nil }
      return NoteNumber(note.semitones + bends.semitones(atSeconds: time))
    }
  }

  public let score: Score
  /// The lead's pitch: exact if it is known, tracked otherwise.
  public let lead: PitchTrack
  /// The segments of each voice, in order of time and without overlap.
  public let voices: [[Segment]]

  public init(_ score: Score, lead: PitchTrack) {
    self.score = score
    self.lead = lead
    switch score.form {
    case .intervals(let intervals):
      voices = intervals.map {
        [Segment(startSeconds: 0, endSeconds: .infinity, target: .interval(semitones: $0))]
      }
    case .degrees(let degrees, let key):
      let tones = LeadTone.tones(of: lead, in: key)
      voices = degrees.map { degree in tones.map { $0.segment(ofDegree: degree, in: key) } }
    case .map(let map):
      let tones = LeadTone.tones(of: lead, in: .chromatic)
      voices = map.voices.indices.map { voice in
        tones.compactMap { $0.segment(ofVoice: voice, in: map) }
      }
    case .tuned(let key):
      voices = [
        LeadTone.tones(of: lead, in: key).filter { $0.isClear(in: lead, key: key) }.map {
          Segment(
            startSeconds: $0.startSeconds, endSeconds: $0.endSeconds,
            target: .note(NoteNumber(Double($0.tone))))
        }
      ]
    case .chords, .progression, .pads, .notes, .sequence, .midi:
      // A score is validated on reading; one with too many notes would be silent here.
      let allocation = try? VoiceAllocation(of: HeldNote.held(by: score.events))
      voices = (allocation?.voices ?? []).map { notes in
        notes.map {
          Segment(
            startSeconds: $0.startSeconds, endSeconds: $0.endSeconds, target: .note($0.note),
            bends: $0.bends, velocity: $0.velocity)
        }
      }
    }
  }

  /// True if targets follow the lead, so that they come out as late as its sound. Notes follow the
  /// clock.
  public var followsLead: Bool {
    switch score.form {
    case .intervals, .degrees, .map, .tuned: true
    case .chords, .progression, .pads, .notes, .sequence, .midi: false
    }
  }

  /// Returns a voice's segment at a time; `nil` if it is silent.
  public func segment(ofVoice voice: Int, atSeconds time: Double) -> Segment? {
    let segments = voices[voice]
    let index = segments.partitioningIndex { $0.endSeconds > time }
    guard index < segments.count, segments[index].startSeconds <= time else { return nil }
    return segments[index]
  }

  /// Returns a voice's target while the lead sings `leadHz`; `nil` if it is silent.
  public func targetHz(ofVoice voice: Int, atSeconds time: Double, leadHz: Double) -> Double? {
    guard let segment = segment(ofVoice: voice, atSeconds: time) else { return nil }
    return switch segment.target {
    case .interval(let semitones): leadHz * exp2(semitones / 12)
    case .note: segment.bentNote(atSeconds: time)?.hz
    }
  }

  /// Returns a voice's target at a time of the output, which is `delaySeconds` behind the lead; `nil`
  /// if voice or lead are silent.
  ///
  /// - Parameter settledSeconds: returns `nil` closer than this to a change of the target, where a
  ///   pitch tracker's window contains both notes.
  public func targetHz(
    ofVoice voice: Int, atSeconds time: Double, delaySeconds: Double, settledSeconds: Double = 0
  ) -> Double? {
    let sung = time - delaySeconds
    let scored = followsLead ? sung : time
    guard let leadHz = lead.f0Hz(atSeconds: sung),
      isSettled(voice, scored, within: settledSeconds)
    else { return nil }
    return targetHz(ofVoice: voice, atSeconds: scored, leadHz: leadHz)
  }

  private func isSettled(_ voice: Int, _ time: Double, within seconds: Double) -> Bool {
    guard seconds > 0 else { return true }
    let here = segment(ofVoice: voice, atSeconds: time)
    if let here, here.bends.leap(within: seconds, of: time) { return false }
    return segment(ofVoice: voice, atSeconds: max(0, time - seconds)) == here
      && segment(ofVoice: voice, atSeconds: time + seconds) == here
  }

  /// Returns the steps of a voice from one note to the next, at least 40 cents away, without a rest.
  package func steps(ofVoice voice: Int) -> [PitchStep] {
    zip(voices[voice], voices[voice].dropFirst()).compactMap { before, after in
      guard let from = before.bentNote(atSeconds: before.endSeconds.nextDown),
        let to = after.bentNote(atSeconds: after.startSeconds),
        abs(before.endSeconds - after.startSeconds) < 0.001,
        abs(to.semitones - from.semitones) >= 0.4
      else { return nil }
      return PitchStep(
        timeSeconds: after.startSeconds, fromHz: from.hz, toHz: to.hz,
        endSeconds: after.endSeconds.isFinite ? after.endSeconds : nil)
    }
  }
}
