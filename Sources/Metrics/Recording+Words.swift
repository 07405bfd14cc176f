import Corpus

extension Recording {
  /// True if the recording is known to hold words or syllables: annotated words or lyrics, phones
  /// with consonants, or speech.
  var holdsWords: Bool {
    if annotations.words?.isEmpty == false || annotations.lyrics?.isEmpty == false { return true }
    if let phones = annotations.phones {
      let consonants = phones.map(\.label).filter(Self.isConsonant)
      return consonants.count >= 4 && Set(consonants).count >= 2
    }
    if Self.techniquesWithWords.contains(entry.technique) { return true }
    return entry.kind == "spoken" && entry.technique != "vowels"
  }

  /// Techniques of the manifest that are sung on words.
  private static let techniquesWithWords: Set = ["song", "syllables"]
  private static let sonorants: Set = [
    "m", "n", "ŋ", "ng", "l", "r", "ɹ", "ɾ", "w", "j", "y", "em", "en", "el",
  ]

  private static func isConsonant(_ label: String) -> Bool {
    ConsonantClass(label: label) != nil || sonorants.contains(label.lowercased())
  }
}
