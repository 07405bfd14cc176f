/// A command line that can be pasted into a shell.
enum ShellWords {
  /// Joins words with spaces and quotes those that a shell would split or expand.
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || "0123456789-_./=,:+@%".unicodeScalars.contains($0))
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
