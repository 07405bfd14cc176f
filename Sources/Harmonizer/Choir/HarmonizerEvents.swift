import Music

/// Changes while it runs, without a click: levels and fixed intervals from the next sample on,
/// everything that follows the music from the next tick on.
///
/// Events between two blocks are of the instant between them. None allocates or locks.
extension Harmonizer: KeyReceiver {
  /// Moves a voice on a fixed interval to another one. It is limited to `Engine.shiftRange`; a
  /// voice that its part directs stays directed.
  @_noLocks public mutating func setShift(semitones: Double, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    if !channels[voice].isDirected {
      transposer.setShift(semitones: semitones, ofVoice: voice)
    }
  }

  /// Moves the formants of a voice by another interval besides the engine's own, whatever its pitch
  /// does. Beyond `Engine.formantRange`, both together, it is cut; an engine that can't changes
  /// nothing.
  @_noLocks public mutating func setFormantShift(semitones: Double, ofVoice voice: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    transposer.setFormantShift(semitones: commonFormantShift + semitones, ofVoice: voice)
  }

  /// Brings a voice to another level, on a straight ramp of `rampSamples`; 0 is at once.
  ///
  /// - Parameter gain: 0 to 4, cut to that range.
  @_noLocks public mutating func setGain(_ gain: Float, ofVoice voice: Int, rampSamples: Int) {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    channels[voice].gain.aim(at: min(max(gain, 0), 4), overSamples: rampSamples)
  }

  /// The chord for those who sing it; `nil` is silence. It holds until the chord track's next.
  @_noLocks public mutating func setChord(_ chord: ChordTones?) {
    direction?.conductor.setChord(chord)
  }

  /// The key for those who go by its degrees.
  ///
  /// - Parameters:
  ///   - tones: its pitch classes, as `Key.tones` has them.
  ///   - tonic: pitch class from which maps count.
  @_noLocks public mutating func setKey(_ tones: ToneSet, tonic: Int) {
    direction?.conductor.setKey(tones, tonic: tonic)
  }

  /// Performs a player's action for the voices that sing held keys.
  @_noLocks public mutating func perform(_ action: KeyAction) { direction?.perform(action) }

  /// Sets the note of a voice with an explicit part.
  ///
  /// - Parameters:
  ///   - note: as a fractional key number, 0 to 127; `nil` is silence.
  ///   - velocity: 1 to 127, cut to that range; of the note's level.
  @_noLocks public mutating func setNote(_ note: Double?, velocity: Int = 127, ofVoice voice: Int) {
    direction?.setNote(note, velocity: velocity, ofVoice: voice)
  }

  /// Bends a voice with an explicit part from its note, without beginning one, until the next bend.
  ///
  /// - Parameter semitones: -127 to 127, cut to that range; NaN changes nothing.
  @_noLocks public mutating func setBend(semitones: Double, ofVoice voice: Int) {
    direction?.conductor.setBend(semitones: semitones, ofVoice: voice)
  }

  /// Returns the present delay of a voice, which tells what the lead sang then.
  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    return transposer.state(ofVoice: voice).delaySamples
      + Double(delays.samples(ofVoice: voice))
  }

  /// Returns the state of voice `index`, for the truth log.
  public func state(ofVoice index: Int) -> TruthLog.Entry {
    let channel = channels[index]
    let shifted = transposer.state(ofVoice: index)
    let shift = shifted.shiftSemitones
    var entry = TruthLog.Entry(
      voice: index, intervalSemitones: shift, gain: channel.level,
      pan: channel.place.pan,
      formantRatio: offlineFormantShiftSemitones.map {
        frequencyRatio(ofSemitones: $0 + settings.voices[index].formantShiftSemitones)
      }
        ?? settings.engine.formantRatio(
          shiftSemitones: shift,
          formantShiftSemitones: shifted.formantShiftSemitones),
      delaySamples: soundingDelaySamples(ofVoice: index),
      consonants: settings.voices[index].consonants)
    guard channel.isDirected else { return entry }
    switch direction {
    case .some(let director):
      entry.targetHz = director.decision(ofVoice: index).targetHz
      entry.leadHz = director.leadHz
      entry.leadIsVoiced = director.leadIsVoiced
    case .none: break
    }
    return entry
  }
}
