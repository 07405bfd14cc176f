import Music

extension Songbook {
  /// Melodies in the public domain, with syllables of our own.
  static let melodies: [Entry] = [
    melody(
      "melody-ah-vous-dirai-je", "Ah! vous dirai-je, maman", from: "French, printed 1761", .soprano,
      transposedBy: 7,
      "C4 tu, C4 li, G4 la, G4 lu, A4 ma, A4 ni, G4/2 no, "
        + "F4 fa, F4 si, E4 lu, E4 na, D4 di, D4 la, C4/2 lo"),
    melody(
      "melody-frere-jacques", "Frère Jacques", from: "French, 18th century", .child,
      transposedBy: 5,
      "F4 ta, G4 ki, A4 ta, F4 ki, F4 ta, G4 ki, A4 ta, F4 ki, "
        + "A4 do, A#4 mi, C5/2 so, A4 do, A#4 mi, C5/2 so"),
    melody(
      "melody-ode-to-joy", "Ode to Joy", from: "Beethoven, 1824", .baritone, transposedBy: -12,
      "E4 na, E4 va, F4 sa, G4 da, G4 no, F4 re, E4 ma, D4 la, "
        + "C4 fo, C4 zi, D4 la, E4 ha, E4/1.5 no, D4/0.5 -, D4/2 na"),
    melody(
      "melody-ode-to-joy-alto", "Ode to Joy, alto", from: "Beethoven, 1824", .alto,
      transposedBy: 0,
      "E4 la, E4 la, F4 la, G4 la, G4 la, F4 la, E4 la, D4 la, "
        + "C4 la, C4 la, D4 la, E4 la, E4/1.5 la, D4/0.5 la, D4/2 la"),
    melody(
      "melody-greensleeves", "Greensleeves", from: "English, 16th century", .tenor,
      transposedBy: -12,
      "A4 a, C5/2 la, D5 si, E5/1.5 la, F5/0.5 -, E5 no, D5/2 na, B4 mi, G4/1.5 lo, A4/0.5 -, "
        + "B4 na, C5/2 la, A4 di, A4/1.5 ma, G#4/0.5 -, A4 lo, B4/2 na, G#4 si, E4/2 no"),
  ]

  /// - Parameter notes: a pitch, beats after a slash unless 1, and a syllable for each note,
  ///   separated by commas.
  private static func melody(
    _ id: String, _ title: String, from origin: String, _ voice: Voice,
    transposedBy interval: Double, _ notes: String
  ) -> Entry {
    Entry(
      id, "\(title), \(voice.name)", shows: "a song with consonants, vibrato and breath",
      voice: voice, melody: "generated; public-domain melody (\(origin))", beatsPerMinute: 100
    ) { phrase in
      let notes = notes.split(separator: ",").map { $0.split(separator: " ") }
      for (index, note) in notes.enumerated() {
        let place = note[0].split(separator: "/")
        let beats = place.count > 1 ? Double(place[1])! : 1
        guard let pitch = try? NoteNumber(named: String(place[0])).semitones else {
          preconditionFailure("\(place[0]) in \(id) is not a note name")
        }
        phrase.sing(semitones: pitch + interval, beats: beats, String(note[1])) {
          $0.vibrato = Vibrato(extentCents: beats > 1 ? 50 : 25, rateHz: 5.7)
          $0.vibrato.delayMs = 180
          $0.vibrato.growMs = 250
          $0.dynamics = Dynamics(startDb: -2, peakDb: index % 4 == 0 ? 2 : 0, endDb: -3)
        }
        if index % 8 == 6 { phrase.breathe(beats: 1) }
      }
    }
  }
}
