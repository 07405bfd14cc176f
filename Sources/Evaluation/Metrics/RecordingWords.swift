import Corpus

extension Recording {
  /// True if the recording is known to hold words or syllables: annotated words or lyrics, phones
  /// with consonants, or speech.
  var holdsWords: Bool {
    annotations.holdWords ?? entry.holdsWords(phones: annotations.phones?.map(\.label))
  }
}

extension Annotations {
  /// True if they have words or lyrics; `nil` if not, which leaves it open.
  var holdWords: Bool? { words?.isEmpty == false || lyrics?.isEmpty == false ? true : nil }
}

extension ManifestEntry {
  /// - Parameter phones: labels of its phones; `nil` if they are not known.
  func holdsWords(phones: [String]?) -> Bool {
    if let phones {
      let consonants = phones.filter(Self.isConsonant)
      return consonants.count >= 4 && Set(consonants).count >= 2
    }
    if Self.techniquesWithWords.contains(technique) { return true }
    return kind == "spoken" && technique != "vowels"
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
