import Analyzer
import Foundation
import Harmonizer
import Music

/// The tone of a key that the lead is on, for a while.
///
/// As `LeadNote` has it, with 30 cents of hysteresis: a vibrato across the middle between two tones
/// doesn't make the choir flutter. Where it has no voice it stays on the tone it was on.
struct LeadTone: Equatable, Sendable {
  var startSeconds: Double
  /// Infinite for the last.
  var endSeconds = Double.infinity
  /// A key of the keyboard, of the scale.
  var tone: Int

  private static let hysteresisCents = 30.0

  /// From time 0 on, without gaps; none where the lead never has a voice.
  static func tones(of lead: PitchTrack, in key: Key) -> [LeadTone] {
    var (tones, note): ([LeadTone], LeadNote) = (
      [], LeadNote(hysteresisCents: hysteresisCents, msPerStep: 1000 * lead.hopSeconds)
    )
    for (frame, hz) in lead.f0Hz.enumerated() where hz > 0 {
      note.next(NoteNumber(hz: hz).semitones, in: key.tones, steps: 1)
      guard let tone = note.key, tone != tones.last?.tone else { continue }
      let now = tones.isEmpty ? 0 : Double(frame) * lead.hopSeconds
      if let last = tones.indices.last { tones[last].endSeconds = now }
      tones.append(LeadTone(startSeconds: now, tone: tone))
    }
    return tones
  }

  /// - Parameter degree: as `Key.intervalSemitones` takes it.
  func segment(ofDegree degree: Int, in key: Key) -> ResolvedScore.Segment {
    // A score's degrees are checked when it is read.
    let interval = (try? key.intervalSemitones(ofDegree: degree, above: tone)) ?? 0
    return ResolvedScore.Segment(
      startSeconds: startSeconds, endSeconds: endSeconds,
      target: .interval(semitones: Double(interval)))
  }

  /// `nil` where the map has the voice silent.
  func segment(ofVoice voice: Int, in map: LeadMap) -> ResolvedScore.Segment? {
    map.interval(ofVoice: voice, aboveKey: tone).map {
      ResolvedScore.Segment(
        startSeconds: startSeconds, endSeconds: endSeconds,
        target: .interval(semitones: Double($0)))
    }
  }
}

extension Key {
  /// All twelve tones.
  static let chromatic = try! Key(named: "C chromatic")
}

extension PitchTrack {
  /// The note of each frame; without a voice the one before, or the first there is.
  var heldNotes: [Double?] {
    var last = f0Hz.first { $0 > 0 }.map { NoteNumber(hz: $0).semitones }
    return f0Hz.map { hz in
      if hz > 0 { last = NoteNumber(hz: hz).semitones }
      return last
    }
  }
}
