import Foundation

/// What is sung: by whom, which notes, which sounds, when; and at what pitch.
///
/// A performance can be moved to any pitch; notes, phones and their timing, the shape of the
/// mouth, loudness and noise stay as written, and the fundamental frequency alone changes.
public struct Performance: Codable, Equatable, Sendable {
  public var voice: Voice
  /// In order of time, without overlap.
  public var notes: [Note]
  /// In order of time, without overlap; between them is silence.
  public var phones: [TimedPhone]
  /// Decides every random detail: noise, jitter, shimmer.
  public var seed: UInt64
  /// Where it is sung.
  public var pitch = PitchPlan.written

  public init(voice: Voice, notes: [Note], phones: [TimedPhone], seed: UInt64 = 1) {
    self.voice = voice
    self.notes = notes
    self.phones = phones
    self.seed = seed
  }

  /// Through the last note or phone, and 0.1 s for the sound to die away.
  public var durationSeconds: Double {
    max(notes.last?.endSeconds ?? 0, phones.last?.endSeconds ?? 0) + 0.1
  }

  /// The same performance higher by an interval, from where it is now written.
  public func transposed(bySemitones interval: Double) -> Performance {
    var copy = self
    copy.pitch = .transposed(semitones: interval)
    return copy
  }

  /// The same performance on other pitches.
  ///
  /// - Parameter keepingExpression: whether vibrato, bends and unsteadiness stay, around the
  ///   targets; otherwise the pitch lies on the targets exactly.
  public func sung(at targets: [PitchTarget], keepingExpression: Bool = true) -> Performance {
    var copy = self
    copy.pitch = .targets(targets, keepingExpression: keepingExpression)
    return copy
  }

  /// The same performance by a perfectly regular, noiseless source: for measuring, not listening.
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

  /// The same performance with the irregularity from period to period, in length and in strength,
  /// multiplied; 0 is perfectly regular but for creaky onsets, which are irregular by nature.
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
