import Analyzer
import Foundation
import Harmonizer
import Music
import Statistics

/// A span of time in which the lead is on one tone of a key.
///
/// The tone is that of `LeadNote` with 30 cents of hysteresis, so that a vibrato across the middle of
/// two tones doesn't make the choir flutter. An unvoiced lead stays on its last tone.
struct LeadTone: Equatable, Sendable {
  var startSeconds: Double
  /// Infinity for the last tone.
  var endSeconds = Double.infinity
  /// The tone as a MIDI key number.
  var tone: Int

  private static let hysteresisCents = 30.0

  /// Returns the lead's tones from time 0, without gaps; empty if the lead is never voiced.
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

  /// Distance from the middle of two tones within which neither is wrong: half of the hysteresis. A tuner that
  /// reads the pitch a little otherwise takes the other one.
  private static let unclearCents = hysteresisCents / 2

  /// True if the lead stays nearer to its tone than to any other of the key.
  func isClear(in lead: PitchTrack, key: Key) -> Bool {
    let frames = lead.f0Hz.indices.filter { frame in
      let time = Double(frame) * lead.hopSeconds
      return lead.f0Hz[frame] > 0 && time >= startSeconds && time < endSeconds
    }
    guard let sung = Statistics.median(frames.map { NoteNumber(hz: lead.f0Hz[$0]).semitones }),
      let other = (tone - 12...tone + 12).filter({ $0 != tone && key.tones.contains($0) })
        .map({ abs(sung - Double($0)) }).min()
    else { return true }
    return other - abs(sung - Double(tone)) > 2 * Self.unclearCents / 100
  }

  /// Returns the segment of a voice on a degree of the key.
  ///
  /// - Parameter degree: a degree as in `Key.intervalSemitones`.
  func segment(ofDegree degree: Int, in key: Key) -> ResolvedScore.Segment {
    // A score's degrees are checked when it is read.
    let interval = (try? key.intervalSemitones(ofDegree: degree, above: tone)) ?? 0
    return ResolvedScore.Segment(
      startSeconds: startSeconds, endSeconds: endSeconds,
      target: .interval(semitones: Double(interval)))
  }

  /// Returns the segment of a voice of a map; `nil` if the voice is silent.
  func segment(ofVoice voice: Int, in map: LeadMap) -> ResolvedScore.Segment? {
    map.interval(ofVoice: voice, aboveKey: tone).map {
      ResolvedScore.Segment(
        startSeconds: startSeconds, endSeconds: endSeconds,
        target: .interval(semitones: Double($0)))
    }
  }
}

extension Key {
  /// The key of all twelve tones.
  static let chromatic = try! Key(named: "C chromatic")
}

extension PitchTrack {
  /// The note of each frame; an unvoiced frame has the last voiced note, or the first one to come.
  var heldNotes: [Double?] {
    var last = f0Hz.first { $0 > 0 }.map { NoteNumber(hz: $0).semitones }
    return f0Hz.map { hz in
      if hz > 0 { last = NoteNumber(hz: hz).semitones }
      return last
    }
  }
}
