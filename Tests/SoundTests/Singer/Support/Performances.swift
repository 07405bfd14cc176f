@testable import Singer

/// One held vowel at constant loudness.
func held(
  _ vowel: Phone = .a, semitones: Double = 57, seconds: Double = 1, voice: Voice = .tenor,
  vibrato: Vibrato = Vibrato()
) -> Performance {
  var note = Note(startSeconds: 0, durationSeconds: seconds, pitchSemitones: semitones)
  note.dynamics = .level(0)
  note.vibrato = vibrato
  return Performance(
    voice: voice, notes: [note],
    phones: [TimedPhone(vowel, startSeconds: 0, durationSeconds: seconds)])
}

/// A phrase with every manner of articulation.
func phrase(voice: Voice = .alto) -> Performance {
  var phrase = Phrase(voice: voice, beatsPerMinute: 120)
  phrase.sing("A3", "sa") { $0.vibrato = Vibrato(extentCents: 60) }
  phrase.sing("C4", "ta")
  phrase.sing("E4", beats: 2, "mi") { $0.onset = .breathy }
  phrase.breathe()
  phrase.sing("D4", "ga") { $0.onset = .creaky }
  phrase.sing("B3", beats: 0.5, "-")
  phrase.sing("A3", "vu")
  return phrase.performance(seed: 7)
}
