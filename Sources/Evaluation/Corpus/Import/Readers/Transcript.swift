import Foundation

/// Reads lyrics: a plain text, or one line of a list.
enum Transcript {
  /// Returns the whole text on one line.
  static func plain(_ text: AnnotationText) throws -> String {
    let words = text.content.split { $0.isWhitespace }.joined(separator: " ")
    guard !words.isEmpty else {
      throw AnnotationError(text.path, "has no words; write the lyrics or remove the file")
    }
    return words
  }

  /// Returns the words of the line `id WORDS…` of a list.
  static func entry(_ id: String, in text: AnnotationText) throws -> String {
    for (_, line) in DelimitedText.lines(of: text.content) {
      let words = line.split { $0.isWhitespace }
      if words.first == id[...] { return words.dropFirst().joined(separator: " ") }
    }
    throw AnnotationError(text.path, "has no line for '\(id)'; add one")
  }
}
