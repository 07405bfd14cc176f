import Foundation

/// A piece to sing: the voice, notes, phones with their timing, and the pitch plan.
///
/// A performance can be moved to any pitch. Only the fundamental frequency changes then: notes,
/// phones, timing, vocal tract, loudness and noise stay the same.
public struct Performance: Codable, Equatable, Sendable {
  public var voice: Voice
  /// Notes in order of time, without overlap.
  public var notes: [Note]
  /// Phones in order of time, without overlap, with silence between them.
  public var phones: [TimedPhone]
  /// Seed of all random variation: noise, jitter, shimmer.
  public var seed: UInt64
  /// Pitch at which it is sung.
  public var pitch = PitchPlan.written

  public init(voice: Voice, notes: [Note], phones: [TimedPhone], seed: UInt64 = 1) {
    self.voice = voice
    self.notes = notes
    self.phones = phones
    self.seed = seed
  }

  /// Duration through the last note or phone, with 0.1 s for the sound to decay.
  public var durationSeconds: Double {
    max(notes.last?.endSeconds ?? 0, phones.last?.endSeconds ?? 0) + 0.1
  }

  /// Returns the performance transposed by an interval from the written pitch.
  public func transposed(bySemitones interval: Double) -> Performance {
    var copy = self
    copy.pitch = .transposed(semitones: interval)
    return copy
  }

  /// Returns the performance at other pitches.
  ///
  /// - Parameter keepingExpression: keeps vibrato, bends and unsteadiness around the targets;
  ///   otherwise the pitch lies exactly on them.
  public func sung(at targets: [PitchTarget], keepingExpression: Bool = true) -> Performance {
    var copy = self
    copy.pitch = .targets(targets, keepingExpression: keepingExpression)
    return copy
  }

  /// Returns the performance with a perfectly periodic, noiseless source, for measurements.
  public func withoutNoise() -> Performance {
    var copy = self
    copy.voice.phonation = .ideal(pulseShape: voice.phonation.pulseShape)
    for i in notes.indices {
      if let own = notes[i].phonation {
        copy.notes[i].phonation = .ideal(pulseShape: own.pulseShape)
      }
    }
    return copy
  }

  /// Returns the performance with jitter and shimmer multiplied by a factor; 0 is perfectly
  /// periodic, except for creaky onsets, which stay irregular.
  public func withIrregularity(times factor: Double) -> Performance {
    var copy = self
    copy.voice.phonation = voice.phonation.withIrregularity(times: factor)
    for i in notes.indices {
      copy.notes[i].phonation = notes[i].phonation?.withIrregularity(times: factor)
    }
    return copy
  }

  public func validate() throws(SingerError) {
    try voice.validate()
    for note in notes { try note.validate() }
    for phone in phones {
      try require("phone.startSeconds", phone.startSeconds, in: 0...36_000)
      try require("phone.durationSeconds", phone.durationSeconds, in: 0.001...3_600)
    }
    for (before, after) in zip(notes, notes.dropFirst())
    where after.startSeconds < before.endSeconds - 1e-6 {
      throw .overlap("the note", atSeconds: after.startSeconds)
    }
    for (before, after) in zip(phones, phones.dropFirst())
    where after.startSeconds < before.endSeconds - 1e-6 {
      throw .overlap("the phone", atSeconds: after.startSeconds)
    }
    try pitch.validate()
  }
}
