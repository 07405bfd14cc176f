extension Songbook {
  /// Steady vowels, as ground truth of pitch and formants.
  static let vowels: [Entry] =
    Voice.all.map { voice in
      fiveVowels(
        "vowels", "Five vowels",
        shows: "steady a e i o u on one comfortable note, without vibrato", voice
      ) { $0.phonation = voice.phonation.steady }
    }
    + Voice.all.map { voice in
      fiveVowels(
        "slides", "Five sliding vowels",
        shows: "a e i o u, each over an octave: formants stand still while the pitch moves",
        voice, beatsPerMinute: 60, on: voice.lowestSemitones + 2, beats: 2.5
      ) { $0.bend = [BendPoint(at: 0, semitones: 0), BendPoint(at: 1, semitones: 12)] }
    }
    + Voice.all.map { voice in
      fiveVowels(
        "whisper", "Five whispered vowels",
        shows: "formants without a pitch: every frame is unvoiced", voice
      ) { $0.phonation = voice.phonation.whispered }
    }
    + zip(["a", "e", "i", "o", "u"], [Voice.bass, .tenor, .alto, .soprano, .child]).map {
      vowel, voice in
      Entry(
        "vowel-\(vowel)-\(voice.slug)", "Held \(vowel), \(voice.name)",
        shows: "three seconds of one vowel on one note", voice: voice
      ) { phrase in
        phrase.sing(semitones: voice.comfortableSemitones, beats: 4.5, vowel) {
          $0.dynamics = .level(0)
          $0.phonation = voice.phonation.steady
        }
      }
    }

  /// The five vowels on one note, with rests between.
  private static func fiveVowels(
    _ id: String, _ title: String, shows: String, _ voice: Voice, beatsPerMinute: Double = 90,
    on semitones: Double? = nil, beats: Double = 1.5,
    manner: @escaping @Sendable (inout Note) -> Void
  ) -> Entry {
    Entry(
      "\(id)-\(voice.slug)", "\(title), \(voice.name)", shows: shows, voice: voice,
      beatsPerMinute: beatsPerMinute
    ) { phrase in
      for vowel in ["a", "e", "i", "o", "u"] {
        phrase.sing(
          semitones: semitones ?? voice.comfortableSemitones, beats: beats, vowel, manner: manner)
        phrase.rest(beats: 0.5)
      }
    }
  }

  /// Scales, arpeggios, leaps and runs, for pitch over the whole range of each voice.
  static let exercises: [Entry] =
    Voice.all.map { voice in
      Entry(
        "scale-\(voice.slug)", "Two octaves up and down, \(voice.name)",
        shows: "every note of a major scale from the lowest to near the highest", voice: voice,
        beatsPerMinute: 150
      ) { phrase in
        let steps = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19, 21, 23, 24].map(Double.init)
          .filter { voice.lowestSemitones + $0 <= voice.highestSemitones }
        for step in steps + steps.dropLast().reversed() {
          phrase.sing(semitones: voice.lowestSemitones + step, step == 0 ? "la" : "a") {
            $0.phonation = voice.phonation.steady
          }
        }
      }
    } + [
      Entry(
        "range-soprano", "Up to C6, soprano",
        shows: "an arpeggio to the top of the range, the mouth opening with the pitch",
        voice: .soprano, beatsPerMinute: 100
      ) { phrase in
        for note in ["C4", "E4", "G4", "C5", "E5", "G5"] { phrase.sing(note, "a") }
        phrase.sing("C6", beats: 3, "a") { $0.vibrato = Vibrato(extentCents: 60, rateHz: 6) }
        for note in ["G5", "E5", "C5"] { phrase.sing(note, "a") }
      },
      Entry(
        "range-bass", "Down to C2, bass",
        shows: "a scale to the bottom of the range", voice: .bass, beatsPerMinute: 100
      ) { phrase in
        for note in ["C3", "B2", "A2", "G2", "F2", "E2", "D2"] { phrase.sing(note, "o") }
        phrase.sing("C2", beats: 3, "o") { $0.vibrato = Vibrato(extentCents: 35, rateHz: 5) }
      },
      Entry(
        "arpeggio-baritone", "Arpeggio, baritone",
        shows: "leaps of thirds and fourths with a glide of 60 ms", voice: .baritone,
        beatsPerMinute: 120
      ) { phrase in
        for note in ["C3", "E3", "G3", "C4", "G3", "E3"] { phrase.sing(note, "na") }
        phrase.sing("C3", beats: 2, "na")
      },
      Entry(
        "leaps-mezzo", "Octave leaps, mezzo",
        shows: "leaps of an octave, detached and then with a long portamento", voice: .mezzo
      ) { phrase in
        for note in ["A3", "A4", "A3", "A4"] { phrase.sing(note, "ja") }
        phrase.rest()
        for note in ["C4", "C5", "C4", "C5"] {
          phrase.sing(note, beats: 1.5, note == "C4" ? "ho" : "-") { $0.glideMs = 250 }
        }
      },
      Entry(
        "leaps-tenor", "Octave leaps, tenor",
        shows: "leaps of an octave on one breath", voice: .tenor
      ) { phrase in
        for (index, note) in ["E3", "E4", "F3", "F4", "G3", "G4"].enumerated() {
          phrase.sing(note, index == 0 ? "lo" : "-") { $0.glideMs = 90 }
        }
      },
      runs("runs-6-alto", .alto, notesPerSecond: 6, from: 57),
      runs("runs-9-tenor", .tenor, notesPerSecond: 9, from: 50),
      runs("runs-12-soprano", .soprano, notesPerSecond: 12, from: 67),
      runs("runs-12-bass", .bass, notesPerSecond: 12, from: 43),
    ]

  /// Five-note runs up and down, rising by semitones.
  private static func runs(
    _ id: String, _ voice: Voice, notesPerSecond: Double, from root: Double
  ) -> Entry {
    Entry(
      id, "Runs of \(Int(notesPerSecond)) notes a second, \(voice.name)",
      shows: "fast legato notes on one vowel: how far a tracker or shifter can follow",
      voice: voice, beatsPerMinute: notesPerSecond * 60
    ) { phrase in
      for key in 0..<4 {
        for (index, step) in [0, 2, 4, 5, 7, 5, 4, 2, 0].map(Double.init).enumerated() {
          phrase.sing(
            semitones: root + Double(key) + step, beats: index == 8 ? 4 : 1,
            index == 0 ? "da" : "-"
          ) { $0.glideMs = 0.4 * 1000 / notesPerSecond }
        }
      }
    }
  }
}

extension Voice {
  /// A key at 0.4 of the range.
  var comfortableSemitones: Double {
    (lowestSemitones + (highestSemitones - lowestSemitones) * 0.4).rounded()
  }

  /// The name in a form fit for identifiers.
  var slug: String { name.split(separator: " ").joined(separator: "-") }
}
