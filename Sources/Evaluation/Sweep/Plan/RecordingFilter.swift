import Corpus

/// A filter of recordings by manifest columns; every given key must fit.
///
/// Each key has one pattern or a list, of which one must fit. `*` stands for any characters and `?`
/// for one: `{kind: sung, voice: [tenor, alto], id: "synth-*", not: "*-scale-*"}`.
public struct RecordingFilter: Codable, Equatable, Sendable {
  public var id: [String]?
  public var voice: [String]?
  /// Kinds such as `sung`, `spoken`, `stress`, `probe`.
  public var kind: [String]?
  /// Technique that the manifest states; otherwise that of a synthetic recording (`scale`, `vowel`, …),
  /// or the kind.
  public var technique: [String]?
  /// Description of the recording.
  public var shows: [String]?
  public var source: [String]?
  public var licence: [String]?
  /// Ids to leave out.
  public var not: [String]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, voice, kind, technique, shows, source, licence, not
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func patterns(_ key: CodingKeys) throws -> [String]? {
      if let one = try? container.decode(String.self, forKey: key) { return [one] }
      return try container.decodeIfPresent([String].self, forKey: key)
    }
    id = try patterns(.id)
    voice = try patterns(.voice)
    kind = try patterns(.kind)
    technique = try patterns(.technique)
    shows = try patterns(.shows)
    source = try patterns(.source)
    licence = try patterns(.licence)
    not = try patterns(.not)
  }

  func takes(_ entry: ManifestEntry) -> Bool {
    func fits(_ patterns: [String]?, _ text: String) -> Bool {
      patterns?.contains { Wildcard($0).matches(text) } ?? true
    }
    return fits(id, entry.id) && fits(voice, entry.voice) && fits(kind, entry.kind)
      && fits(technique, entry.technique) && fits(shows, entry.shows)
      && fits(source, entry.source) && fits(licence, entry.licence)
      && !(not?.contains { Wildcard($0).matches(entry.id) } ?? false)
  }
}

/// A pattern in which `*` stands for any number of characters and `?` for one.
package struct Wildcard: Equatable, Sendable {
  let pattern: [Character]

  package init(_ pattern: String) { self.pattern = Array(pattern) }

  /// True if it may match more than one text.
  var isPattern: Bool { pattern.contains { $0 == "*" || $0 == "?" } }

  package func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (p, t) = (0, 0)
    /// Positions to continue from if the text after the last star does not match.
    var retry: (p: Int, t: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        retry = (p + 1, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        (p, t) = (p + 1, t + 1)
      } else if let again = retry {
        retry = (again.p, again.t + 1)
        (p, t) = (again.p, again.t + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
