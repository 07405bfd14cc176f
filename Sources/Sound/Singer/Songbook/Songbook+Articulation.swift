extension Songbook {
  /// Consonants, which pitch shifters smear first.
  static let articulation: [Entry] = [
    syllables(
      "fricatives-alto", "Fricatives, alto", .alto, "A3",
      ["sa", "ʃi", "fu", "sə", "ʃa", "za", "vi", "ʒu", "ha", "fo"],
      shows: "voiceless and voiced fricatives before changing vowels"),
    syllables(
      "fricatives-baritone", "Fricatives, baritone", .baritone, "D3",
      ["sas", "ʃuʃ", "fif", "hah", "ziz", "vav"],
      shows: "fricatives at both ends of the syllable"),
    syllables(
      "stops-tenor", "Stops, tenor", .tenor, "C#3",
      ["pa", "ta", "ka", "ba", "da", "ga", "pi", "ti", "ki", "bu", "du", "gu"],
      shows: "closure, burst and aspiration; the same places voiced and voiceless"),
    syllables(
      "stops-child", "Stops, child", .child, "A4",
      ["pa", "ta", "ka", "ba", "da", "ga", "to", "pe", "ku", "bi"],
      shows: "stops of a short vocal tract", beatsPerMinute: 160),
    syllables(
      "nasals-mezzo", "Nasals, mezzo", .mezzo, "G4", ["ma", "na", "ŋa", "mim", "non", "aŋ", "m"],
      shows: "the nasal zero before, after and without a vowel"),
    syllables(
      "liquids-folk-tenor", "Liquids, folk tenor", .folkTenor, "F3",
      ["la", "ra", "wa", "ja", "lil", "ror", "wiw", "juj"],
      shows: "fast formant motion under a steady pitch"),
    syllables(
      "diphthongs-pop-soprano", "Vowel to vowel, pop soprano", .popSoprano, "B3",
      ["ai", "au", "oi", "ia", "ue", "aəi", "iu"],
      shows: "formants gliding between vowels", beatsPerMinute: 60),
    syllables(
      "patter-countertenor", "Patter, countertenor", .countertenor, "D4",
      ["ta", "ka", "ti", "pa", "da", "ki", "ta", "ka", "ti", "pa", "da", "ki"],
      shows: "six syllables a second", beatsPerMinute: 360),
  ]

  /// Syllables on one note, with a breath after every fourth.
  private static func syllables(
    _ id: String, _ title: String, _ voice: Voice, _ pitch: String, _ words: [String],
    shows: String, beatsPerMinute: Double = 120
  ) -> Entry {
    Entry(id, title, shows: shows, voice: voice, beatsPerMinute: beatsPerMinute) { phrase in
      for (index, word) in words.enumerated() {
        phrase.sing(pitch, word)
        if index % 4 == 3 { phrase.breathe() }
      }
    }
  }
}
