extension Songbook {
  /// Expression beyond notes: vibrato, dynamics, onsets, speech melody.
  static let expression: [Entry] = [
    swell("swell-soprano", .soprano, "A4", extentCents: 90, rateHz: 6.0),
    swell("swell-tenor", .tenor, "E3", extentCents: 80, rateHz: 5.6),
    swell("swell-bass", .bass, "G2", extentCents: 70, rateHz: 5.0),
    Entry(
      "vibrato-rates-mezzo", "Vibrato of 4 to 8 Hz, mezzo",
      shows: "the same note with slower and faster, narrower and wider vibrato", voice: .mezzo,
      beatsPerMinute: 60
    ) { phrase in
      for (rate, extent) in [(4.0, 40.0), (5.0, 80), (6.0, 50), (7.0, 100), (8.0, 30)] {
        phrase.sing("D4", beats: 2, "a") {
          $0.vibrato = Vibrato(extentCents: extent, rateHz: rate)
          $0.vibrato.delayMs = 100
        }
        phrase.rest(beats: 0.5)
      }
    },
    Entry(
      "messa-di-voce-alto", "Swelling and fading, alto",
      shows: "18 dB of loudness with the timbre that goes with it, pitch held", voice: .alto,
      beatsPerMinute: 60
    ) { phrase in
      phrase.sing("C4", beats: 5, "a") {
        $0.dynamics = Dynamics(startDb: -14, peakDb: 4, endDb: -16, peakPosition: 0.5)
      }
    },
    spoken(
      "spoken-baritone", .baritone, [("D3", "ha"), ("C3", "lo"), ("F3", "maj"), ("C3", "nem")]),
    spoken(
      "spoken-pop-soprano", .popSoprano,
      [("B3", "wi"), ("A3", "ʃi"), ("D4", "no"), ("G3", "da")]),
    onsets("onsets-breathy-pop-soprano", "Breathy", .popSoprano, "E4", .breathy),
    onsets("onsets-creaky-baritone", "Creaky", .baritone, "A2", .creaky),
    onsets("onsets-hard-tenor", "Hard", .tenor, "F3", .hard),
    Entry(
      "airy-folk-tenor", "A breathy lullaby tone, folk tenor",
      shows: "a low harmonic-to-noise ratio throughout", voice: .folkTenor
    ) { phrase in
      for (pitch, word) in [("C3", "lu"), ("E3", "la"), ("D3", "lu"), ("G3", "la"), ("C3", "lu")] {
        phrase.sing(pitch, beats: 1.5, word) {
          $0.phonation = Phonation(
            pulseShape: 2, aspirationDb: -11, jitterPercent: 0.5, shimmerPercent: 3)
        }
      }
    },
  ]

  private static func swell(
    _ id: String, _ voice: Voice, _ pitch: String, extentCents: Double, rateHz: Double
  ) -> Entry {
    Entry(
      id, "A long note with swelling vibrato, \(voice.name)",
      shows: "vibrato that grows from nothing over three seconds; level and timbre sway with it",
      voice: voice, beatsPerMinute: 60
    ) { phrase in
      phrase.sing(pitch, beats: 6, "a") {
        $0.vibrato = Vibrato(extentCents: extentCents, rateHz: rateHz)
        $0.vibrato.delayMs = 600
        $0.vibrato.growMs = 3_000
        $0.dynamics = Dynamics(startDb: -8, peakDb: 2, endDb: -8, peakPosition: 0.6)
      }
    }
  }

  private static func spoken(
    _ id: String, _ voice: Voice, _ words: [(pitch: String, word: String)]
  ) -> Entry {
    Entry(
      id, "As if spoken, \(voice.name)",
      shows: "the pitch never rests: each syllable glides by several semitones", voice: voice,
      beatsPerMinute: 200
    ) { phrase in
      for round in 0..<3 {
        for (index, (pitch, word)) in words.enumerated() {
          phrase.sing(pitch, word) {
            let rise = (index + round) % 2 == 0 ? 2.5 : -3.0
            $0.glideMs = 90
            $0.bend = [
              BendPoint(at: 0, semitones: -rise / 2), BendPoint(at: 0.5, semitones: rise),
              BendPoint(at: 1, semitones: -rise),
            ]
          }
        }
        phrase.breathe(beats: 2)
      }
    }
  }

  private static func onsets(
    _ id: String, _ kind: String, _ voice: Voice, _ pitch: String, _ onset: Onset
  ) -> Entry {
    Entry(
      id, "\(kind) onsets, \(voice.name)",
      shows: "vowels that begin \(onset.rawValue), from a quick to a slow onset", voice: voice
    ) { phrase in
      for (vowel, onsetMs) in [("a", 120.0), ("o", 200), ("e", 300), ("i", 400)] {
        phrase.sing(pitch, beats: 1.5, vowel) {
          $0.onset = onset
          $0.onsetMs = onsetMs
        }
        phrase.rest(beats: 0.75)
      }
    }
  }
}
