import Foundation
import Platform

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
  /// - Throws: a `Refusal`.
  public init(_ text: String, path: String) throws {
    var tokens = Tokens(text, path: path)
    guard try tokens.text() == "ooTextFile", try tokens.text() == "TextGrid" else {
      throw Refusal(path, line: 1, "is not a TextGrid; save it as one in Praat")
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
      throw Refusal(
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
  private let all: String
  /// Words, and quoted texts without their quotes, in order.
  private var rest: ArraySlice<(word: Substring, quoted: Substring?)>
  /// Position of the last token, for errors.
  private var position: String.Index

  init(_ text: String, path: String) {
    (all, self.path, position) = (text, path, text.startIndex)
    // Two quotes inside a quoted text are one quote.
    rest = text.matches(of: /"((?:[^"]|"")*)"|\S+/).map { ($0.0, $0.1) }[...]
  }

  func error(_ problem: String) -> Refusal {
    let line = 1 + all[..<position].count(where: \.isNewline)
    return Refusal(path, line: line, problem)
  }

  /// Returns the next token, from which position errors count.
  private mutating func next(_ wanted: String) throws -> (word: String, isQuoted: Bool) {
    guard let token = rest.popFirst() else {
      position = all.endIndex
      throw error("ends too early, expected \(wanted)")
    }
    position = token.word.startIndex
    if let quoted = token.quoted {
      return (String(quoted.replacing("\"\"", with: "\"")), true)
    }
    if token.word.hasPrefix("\"") { throw error("has a quote without its end; close it") }
    return (String(token.word), false)
  }

  mutating func number() throws -> Double {
    while true {
      let token = try next("a number")
      if token.isQuoted { throw error("has \"\(token.word)\", expected a number") }
      if let value = Double(token.word) { return value }
    }
  }

  mutating func count() throws -> Int {
    let value = try number()
    guard let count = Int(exactly: value), count >= 0, count <= all.count else {
      throw error("has \(value), expected a count of tiers or intervals")
    }
    return count
  }

  mutating func text() throws -> String {
    while true {
      let token = try next("a quoted text")
      if token.isQuoted { return token.word }
      if Double(token.word) != nil { throw error("has \(token.word), expected a quoted text") }
    }
  }

  mutating func flag() -> String? {
    while let token = try? next("a flag") { if token.word.hasPrefix("<") { return token.word } }
    return nil
  }
}
