import Analyzer
import Foundation
import Harmonizer
import Music

/// The shifts and gains that a score sets on the harmonizer's voices before each block, for
/// `LeadPitch.given`.
///
/// A voice on an interval is transposed by it. A voice on a note is transposed by the distance from
/// the lead's pitch to that note. The lead's pitch is **not tracked by the harmonizer**: it is the
/// evaluation's track (exact for synthetic singers), read at the instant whose sound is leaving the
/// voice's delay line. So pitch errors are the shifter's own; `LeadPitch.live` adds the tracker's
/// errors and delay.
///
/// The last shift is kept while the lead is unvoiced, and the first one to come holds from the start,
/// so that consonants go on sounding; only the score silences a voice. Gains change over 5 ms.
package struct VoiceCues: Sendable {
  package static let rampSeconds = 0.005

  private let score: ResolvedScore
  private let sampleRateHz: Double
  private let rampSamples: Int
  private let velocityShare: Double
  /// The lead's note in each frame of its track.
  private let leadNotes: [Double?]
  /// The cues sent so far, by block, then voice.
  private var sent: [Cue] = []

  private struct Cue {
    var shiftSemitones: Double
    var gain: Float
  }

  /// Prepares a score; returns `nil` for intervals, which the choir's settings contain.
  ///
  /// - Parameter velocityShare: that of the choir's settings.
  init?(_ score: ResolvedScore, velocityShare: Double = 0, sampleRateHz: Double) {
    if case .intervals = score.score.form { return nil }
    (self.velocityShare, self.score, self.sampleRateHz) = (velocityShare, score, sampleRateHz)
    rampSamples = Int((Self.rampSeconds * sampleRateHz).rounded())
    leadNotes = score.lead.heldNotes
  }

  /// Sets the voices for the block that begins at `startSample`. Allocates. Blocks come in order.
  mutating func cue(_ harmonizer: inout Harmonizer, startSample: Int) {
    let now = Double(startSample) / sampleRateHz
    for voice in score.voices.indices {
      let delay = harmonizer.soundingDelaySamples(ofVoice: voice) / sampleRateHz
      let cue = cue(ofVoice: voice, now: now, sung: max(0, now - delay))
      sent.append(cue)
      send(cue, to: &harmonizer, voice)
    }
  }

  func hasCue(forBlock block: Int) -> Bool { sent.count >= (block + 1) * score.voices.count }

  /// Sends the cues of a block again, at almost no cost: for timing.
  func repeatCue(_ harmonizer: inout Harmonizer, block: Int) {
    for voice in score.voices.indices {
      send(sent[block * score.voices.count + voice], to: &harmonizer, voice)
    }
  }

  private func cue(ofVoice voice: Int, now: Double, sung: Double) -> Cue {
    let time = score.followsLead ? sung : now
    guard let segment = score.segment(ofVoice: voice, atSeconds: time) else {
      return Cue(shiftSemitones: .nan, gain: 0)  // fades out at its last shift
    }
    switch segment.target {
    case .interval(let semitones): return Cue(shiftSemitones: semitones, gain: 1)
    case .note(let note):
      let pitch = segment.bentNote(atSeconds: time) ?? note
      return Cue(
        shiftSemitones: leadNote(at: sung).map { pitch.semitones - $0 } ?? 0,
        gain: Harmonizer.Settings.level(ofVelocity: segment.velocity, share: velocityShare))
    }
  }

  private func leadNote(at time: Double) -> Double? {
    if let hz = score.lead.f0Hz(atSeconds: time) { return NoteNumber(hz: hz).semitones }
    guard let last = leadNotes.indices.last else { return nil }
    return leadNotes[min(Int((time / score.lead.hopSeconds).rounded()), last)]
  }

  private func send(_ cue: Cue, to harmonizer: inout Harmonizer, _ voice: Int) {
    harmonizer.setShift(semitones: cue.shiftSemitones, ofVoice: voice)
    harmonizer.setGain(cue.gain, ofVoice: voice, rampSamples: rampSamples)
  }
}
