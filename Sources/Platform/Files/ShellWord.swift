extension String {
  /// The string as one word of a shell command, in quotes if a shell would split or expand it.
  package var forShell: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || "0123456789-_./=,:+@%".unicodeScalars.contains($0))
    }
    if isPlain, !isEmpty { return self }
    return "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
