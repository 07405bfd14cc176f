import Foundation

/// A Praat TextGrid in its long or short form.
///
/// Praat reads both forms alike: only the free-standing numbers, quoted texts and flags count, in
/// their order.
///
/// - Source: "TextGrid file formats" in the Praat manual.
public struct TextGrid: Equatable, Sendable {
  public struct Tier: Equatable, Sendable {
    public var name: String
    /// All spans, also those with an empty label, which are silent.
    public var spans: [LabelledSpan]
  }

  public var tiers: [Tier]

  /// Parses a text.
  ///
  /// - Throws: an `AnnotationError`.
  public init(_ text: String, path: String) throws {
    var tokens = Tokens(text, path: path)
    guard try tokens.text() == "ooTextFile", try tokens.text() == "TextGrid" else {
      throw AnnotationError(path, line: 1, "is not a TextGrid; save it as one in Praat")
    }
    _ = try (tokens.number(), tokens.number())
    switch tokens.flag() {
    case "<absent>":
      tiers = []
      return
    case "<exists>": break
    default: throw tokens.error("the flag <exists> or <absent> for its tiers is missing; add it")
    }
    tiers = try (0..<tokens.count()).map { _ in try Self.tier(&tokens) }
  }

  /// Returns the labelled spans of the first tier of a file with one of these names.
  static func spans(_ text: AnnotationText, named names: [String]) throws -> [LabelledSpan] {
    let (tiers, path) = (try TextGrid(text.content, path: text.path).tiers, text.path)
    guard let tier = tiers.first(where: { names.contains($0.name.lowercased()) }) else {
      let known = tiers.map { "'\($0.name)'" }.joined(separator: ", ")
      throw AnnotationError(
        path,
        "has no tier \(names.joined(separator: " or ")); its tiers are "
          + (known.isEmpty ? "none" : known))
    }
    return tier.spans.filter { !$0.label.isEmpty }
  }

  static let phoneTiers = ["phones", "phone", "phonemes", "phoneme", "ph"]
  static let wordTiers = ["words", "word"]

  private static func tier(_ tokens: inout Tokens) throws -> Tier {
    let kind = try tokens.text()
    let name = try tokens.text()
    _ = try (tokens.number(), tokens.number())
    let spans = try (0..<tokens.count()).map { _ in
      let onset = try tokens.number()
      let offset = kind == "IntervalTier" ? try tokens.number() : onset
      guard offset >= onset else {
        throw tokens.error("an interval ends at \(offset), before its start at \(onset)")
      }
      let label = try tokens.text().trimmingCharacters(in: .whitespacesAndNewlines)
      return LabelledSpan(onsetSeconds: onset, offsetSeconds: offset, label: label)
    }
    return Tier(name: name, spans: spans)
  }
}

/// The free-standing numbers, texts and flags of a Praat text file.
private struct Tokens {
  private let path: String
  private let characters: [Character]
  private var at = 0
  private var line = 1

  init(_ text: String, path: String) {
    self.path = path
    characters = Array(text)
  }

  func error(_ problem: String) -> AnnotationError { AnnotationError(path, line: line, problem) }

  mutating func number() throws -> Double {
    while let word = try nextWord() {
      if !word.isQuoted, let value = Double(word.text) { return value }
      if word.isQuoted { throw error("has \"\(word.text)\", expected a number") }
    }
    throw error("ends too early, expected a number")
  }

  mutating func count() throws -> Int {
    let value = try number()
    guard let count = Int(exactly: value), count >= 0, count <= characters.count else {
      throw error("has \(value), expected a count of tiers or intervals")
    }
    return count
  }

  mutating func text() throws -> String {
    while let word = try nextWord() {
      if word.isQuoted { return word.text }
      if Double(word.text) != nil { throw error("has \(word.text), expected a quoted text") }
    }
    throw error("ends too early, expected a quoted text")
  }

  mutating func flag() -> String? {
    while let word = try? nextWord() { if word.text.hasPrefix("<") { return word.text } }
    return nil
  }

  private mutating func nextWord() throws -> (text: String, isQuoted: Bool)? {
    while at < characters.count, characters[at].isWhitespace { step() }
    guard at < characters.count else { return nil }
    if characters[at] == "\"" { return (try quoted(), true) }
    let start = at
    while at < characters.count, !characters[at].isWhitespace { step() }
    return (String(characters[start..<at]), false)
  }

  /// Reads a quoted text; two quotes inside it are one quote.
  private mutating func quoted() throws -> String {
    var text = ""
    step()
    while at < characters.count {
      if characters[at] == "\"" {
        step()
        guard at < characters.count, characters[at] == "\"" else { return text }
      }
      text.append(characters[at])
      step()
    }
    throw error("has a quote without its end; close it")
  }

  private mutating func step() {
    if characters[at].isNewline { line += 1 }
    at += 1
  }
}
