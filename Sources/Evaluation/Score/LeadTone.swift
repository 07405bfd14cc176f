import Analyzer
import Foundation
import Harmonizer

/// The tone of a key that the lead is on, for a while.
///
/// The lead leaves a tone for another when it is 30 cents nearer to that one than halfway, so that
/// a vibrato across the middle between two tones doesn't make the choir flutter. Where it has no
/// voice it stays on the tone it was on.
struct LeadTone: Equatable, Sendable {
  var startSeconds: Double
  /// Infinite for the last.
  var endSeconds = Double.infinity
  /// A key of the keyboard, of the scale.
  var tone: Int

  private static let hysteresisSemitones = 0.3

  /// From time 0 on, without gaps; none where the lead never has a voice.
  static func tones(of lead: PitchTrack, in key: Key) -> [LeadTone] {
    var tones: [LeadTone] = []
    for (frame, hz) in lead.f0Hz.enumerated() where hz > 0 {
      let note = NoteNumber(hz: hz).semitones
      let nearest = key.nearestTone(to: note)
      guard let last = tones.indices.last else {
        tones.append(LeadTone(startSeconds: 0, tone: nearest))
        continue
      }
      // Beyond the middle between two tones by x, the one is nearer than the other by 2x.
      let gained = abs(note - Double(tones[last].tone)) - abs(note - Double(nearest))
      guard nearest != tones[last].tone, gained > 2 * hysteresisSemitones else { continue }
      let now = Double(frame) * lead.hopSeconds
      tones[last].endSeconds = now
      tones.append(LeadTone(startSeconds: now, tone: nearest))
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
}

extension NoteNumber {
  /// The note of a frequency, which must be positive.
  init(hz: Double) { self.init(69 + 12 * log2(hz / 440)) }
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
