import DSP
import Foundation

/// The way of one voice's sound from the engine to the mix.
struct VoiceChannel: BitwiseCopyable {
  /// True if its part tells it what to sing; else it stays on its interval.
  let isDirected: Bool
  /// True if it is silent where the lead has no pitch.
  let isGated: Bool
  /// True if it passes the lead's own sound there.
  let passesConsonants: Bool
  let detuneSemitones: Double
  /// Formant shift that the settings ask for.
  let formantShiftSemitones: Double
  /// Gain, set by `setGain`.
  var gain: Ramp
  /// 0 where its part has it silent.
  var notes: Ramp
  /// 0 where the lead has no pitch.
  var voicing: Ramp
  let place: Panorama
  var envelope: Envelope?
  private var sounds: Bool
  private var onsets = 0

  init(
    _ voice: Harmonizer.Voice, isDirected: Bool, passesConsonants: Bool, pan: Double,
    sampleRateHz: Double
  ) {
    self.isDirected = isDirected
    self.passesConsonants = passesConsonants
    isGated = voice.consonants != .kept
    detuneSemitones = voice.detuneCents / 100
    formantShiftSemitones = voice.formantShiftSemitones
    gain = Ramp(Float(voice.gain))
    sounds = !isDirected || voice.part.followsLead
    notes = Ramp(sounds || voice.envelope != nil ? 1 : 0)
    voicing = Ramp(isGated ? 0 : 1)
    place = Panorama(pan)
    if let settings = voice.envelope {
      envelope = Envelope(settings, sampleRateHz: sampleRateHz)
      if sounds { envelope?.press() }
    }
  }

  /// Present level, without its place.
  var level: Double {
    Double(gain.value * notes.value * (passesConsonants ? 1 : voicing.value))
      * (envelope?.level ?? 1)
  }

  /// Goes by a decision from the next sample on.
  @_noLocks mutating func follow(
    _ decision: VoiceDirector.Decision, leadIsVoiced: Bool, noteSamples: Int, gateSamples: Int
  ) {
    if isGated { voicing.aim(at: leadIsVoiced ? 1 : 0, overSamples: gateSamples) }
    let begins = decision.sounds && (!sounds || decision.onsets != onsets)
    let ends = sounds && !decision.sounds
    (sounds, onsets) = (decision.sounds, decision.onsets)
    guard case .some(var shape) = envelope else {
      notes.aim(at: sounds ? decision.level : 0, overSamples: noteSamples)
      return
    }
    if begins { shape.press() }
    if ends { shape.release() }
    envelope = shape
    if sounds { notes.aim(at: decision.level, overSamples: noteSamples) }
  }

  /// Brings the samples `range` to their level.
  @_noLocks mutating func apply(to samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    gain.apply(to: &samples, range)
    guard isDirected else { return }
    notes.apply(to: &samples, range)
    if isGated, !passesConsonants { voicing.apply(to: &samples, range) }
    guard case .some(var shape) = envelope else { return }
    for i in range.lowerBound..<range.upperBound { samples[i] *= Float(shape.next()) }
    envelope = shape
  }
}

/// Levels of a sound on both sides; its power is the same wherever it stands.
struct Panorama: BitwiseCopyable {
  let left: Float
  let right: Float

  /// - Parameter pan: -1 is left, 1 is right.
  @_noLocks init(_ pan: Double) {
    let turns = (pan + 1) / 8
    (left, right) = (Float(cosineOf(turns: turns)), Float(sineOf(turns: turns)))
  }

  /// The pan that it was made of, to a millionth.
  var pan: Double {
    let pan = atan2(Double(right), Double(left)) * 4 / .pi - 1
    return (pan * 1e6).rounded() / 1e6
  }
}
