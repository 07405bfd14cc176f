import Analyzer
import Foundation
import Harmonizer
import Music

/// What the harmonizer's voices are told before each block to sing a score.
///
/// A voice on an interval is transposed by it. A voice on a note is transposed by the distance
/// from the lead's pitch to that note. This is for `LeadPitch.given`: that pitch is **not tracked by
/// the harmonizer** but is the track that the evaluation has of the lead (exact for synthetic
/// singers), read at the instant whose sound is leaving the voice's delay line. So pitch errors are
/// the shifter's own; `LeadPitch.live` adds the tracker's errors and delay.
///
/// While the lead has no voice the last shift is kept (before it first has, the first), so that
/// consonants go on sounding; a voice is silenced by the score alone. Levels change over 5 ms.
package struct VoiceCues: Sendable {
  package static let rampSeconds = 0.005

  private let score: ResolvedScore
  private let sampleRateHz: Double
  private let rampSamples: Int
  private let velocityShare: Double
  /// The lead's note in each frame of its track.
  private let leadNotes: [Double?]
  /// What was told, by block, then voice.
  private var told: [Cue] = []

  private struct Cue {
    var shiftSemitones: Double
    var gain: Float
  }

  /// `nil` where the voices stay as their settings have them.
  ///
  /// - Parameter velocityShare: as the choir's settings have it.
  init?(_ score: ResolvedScore, velocityShare: Double = 0, sampleRateHz: Double) {
    if case .intervals = score.score.form { return nil }
    self.velocityShare = velocityShare
    self.score = score
    self.sampleRateHz = sampleRateHz
    rampSamples = Int((Self.rampSeconds * sampleRateHz).rounded())
    leadNotes = score.lead.heldNotes
  }

  /// Tells the voices what the block is to be that begins at `startSample`; allocates. Blocks
  /// come in order.
  mutating func cue(_ harmonizer: inout Harmonizer, startSample: Int) {
    let now = Double(startSample) / sampleRateHz
    for voice in score.voices.indices {
      let delay = harmonizer.soundingDelaySamples(ofVoice: voice) / sampleRateHz
      let cue = cue(ofVoice: voice, now: now, sung: max(0, now - delay))
      told.append(cue)
      tell(&harmonizer, voice, cue)
    }
  }

  func hasTold(block: Int) -> Bool { told.count >= (block + 1) * score.voices.count }

  /// Tells them once more what they were told before that block, at almost no cost: for timing.
  func repeatCue(_ harmonizer: inout Harmonizer, block: Int) {
    for voice in score.voices.indices {
      tell(&harmonizer, voice, told[block * score.voices.count + voice])
    }
  }

  private func cue(ofVoice voice: Int, now: Double, sung: Double) -> Cue {
    let time = score.followsLead ? sung : now
    guard let segment = score.segment(ofVoice: voice, atSeconds: time) else {
      return Cue(shiftSemitones: .nan, gain: 0)  // it fades where it is
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

  private func tell(_ harmonizer: inout Harmonizer, _ voice: Int, _ cue: Cue) {
    harmonizer.setShift(semitones: cue.shiftSemitones, ofVoice: voice)
    harmonizer.setGain(cue.gain, ofVoice: voice, rampSamples: rampSamples)
  }
}
