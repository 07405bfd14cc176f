import Music

/// Changes while it runs, without a click: from the next sample on for levels and fixed intervals,
/// from the next tick on for all that goes by the music.
///
/// Events between two blocks are of the instant between them. None allocates or locks.
extension Harmonizer {
  /// Moves a voice on a fixed interval to another one. Beyond `Engine.shiftRange` it is cut; a voice
  /// that its part directs goes on by that.
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

  /// Presses a key for those who sing what is held.
  ///
  /// - Parameters:
  ///   - key: 0 to 127; others change nothing.
  ///   - velocity: 1 to 127, cut to that range.
  @_noLocks public mutating func press(_ key: Int, velocity: Int = 127) {
    direction?.press(key, velocity: velocity)
  }

  @_noLocks public mutating func release(_ key: Int) {
    direction?.conductor.release(key)
  }

  /// Releases every key, however often it was pressed.
  @_noLocks public mutating func releaseAll() { direction?.conductor.releaseAll() }

  /// Moves the sustain pedal.
  @_noLocks public mutating func setPedal(isDown: Bool) {
    direction?.conductor.setPedal(isDown: isDown)
  }

  @_noLocks public mutating func setLatch(isOn: Bool) {
    direction?.conductor.setLatch(isOn: isOn)
  }

  /// The note of a voice whose part is to be told.
  ///
  /// - Parameters:
  ///   - note: as a fractional key number, 0 to 127; `nil` is silence.
  ///   - velocity: 1 to 127, cut to that range; of the note's level.
  @_noLocks public mutating func setNote(
    _ note: Double?, velocity: Int = 127, ofVoice voice: Int
  ) {
    direction?.setNote(note, velocity: velocity, ofVoice: voice)
  }

  /// Moves a voice whose part is to be told away from its note, without beginning one, until it is
  /// moved again.
  ///
  /// - Parameter semitones: -127 to 127, cut to that range; what is not a number changes nothing.
  @_noLocks public mutating func setBend(semitones: Double, ofVoice voice: Int) {
    direction?.conductor.setBend(semitones: semitones, ofVoice: voice)
  }

  /// Moves whoever sings a key that is held away from it, without beginning a note, until it is moved
  /// again; others change nothing. See `KeyReceiver`.
  @_noLocks public mutating func setBend(semitones: Double, ofKey key: Int) {
    direction?.conductor.setBend(semitones: semitones, ofKey: key)
  }

  /// Returns the present delay of a voice, which tells what the lead sang then.
  @_noLocks public func soundingDelaySamples(ofVoice voice: Int) -> Double {
    precondition(voice >= 0 && voice < voiceCount, "no such voice")
    return transposer.soundingDelaySamples(ofVoice: voice)
      + Double(delays.samples(ofVoice: voice))
  }

  /// Returns the state of voice `index`, for the truth log.
  public func state(ofVoice index: Int) -> TruthLog.Entry {
    let channel = channels[index]
    let shift = transposer.shiftSemitones(ofVoice: index)
    var entry = TruthLog.Entry(
      voice: index, intervalSemitones: shift, gain: channel.level,
      pan: channel.place.pan,
      formantRatio: offlineFormantShiftSemitones.map {
        frequencyRatio(ofSemitones: $0 + settings.voices[index].formantShiftSemitones)
      }
        ?? settings.engine.formantRatio(
          shiftSemitones: shift,
          formantShiftSemitones: transposer.formantShiftSemitones(ofVoice: index)),
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

extension Harmonizer: KeyReceiver {}
