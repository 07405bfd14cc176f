import Foundation

/// What the licence of a recording lets others do with it, read from its SPDX expression.
///
/// Caution decides: what is not known to allow copies does not.
public struct Licence: Equatable, Sendable {
  /// An SPDX identifier or expression, such as `CC-BY-4.0`; `LicenseRef-…` for any other.
  public let id: String
  public let redistribution: Redistribution
  /// Whether its holders must be named wherever the sound is played or shown.
  public let needsAttribution: Bool

  /// To whom copies, and sound made from it, may be given.
  public enum Redistribution: String, Codable, Sendable, Comparable {
    /// Nobody: not allowed, or not known to be.
    case none
    /// Anyone who earns nothing by it.
    case noncommercial
    /// Anyone.
    case free

    private var rank: Int { [.none, .noncommercial, .free].firstIndex(of: self)! }
    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// Of `A OR B` the freer part counts, of `A AND B` the stricter; exceptions after `WITH` only
  /// allow more and are passed over. Parentheses are not understood, and so allow nothing.
  public init(_ expression: String) {
    let choices = expression.parts(between: " OR ").map { choice in
      choice.parts(between: " AND ").map(Self.terms).reduce((.free, false)) { all, part in
        (min(all.0, part.0), all.1 || part.1)
      }
    }
    let best = choices.max { $0.0 < $1.0 } ?? (.none, true)
    id = expression
    redistribution = best.0
    needsAttribution = best.1
  }

  private static func terms(of licence: String) -> (Redistribution, Bool) {
    let id = licence.parts(between: " WITH ").first?.uppercased() ?? ""
    if ownerless.contains(id) { return (.free, false) }
    if id.hasPrefix("CC-BY-") {
      // A harmony made from a recording is a derivative, which ND forbids to pass on.
      if id.contains("-ND") { return (.none, true) }
      return (id.contains("-NC") ? .noncommercial : .free, true)
    }
    return (freePrefixes.contains { id.hasPrefix($0) } ? .free : .none, true)
  }

  private static let ownerless: Set = ["CC0-1.0", "PDDL-1.0", "UNLICENSE", "0BSD", "MIT-0"]
  private static let freePrefixes = [
    "GPL-", "LGPL-", "AGPL-", "GFDL-", "BSD-", "MIT", "ISC", "APACHE-2.0", "ODBL-", "ODC-BY-",
    "CDLA-", "ARTISTIC-", "MPL-", "LAL-",
  ]
}

extension ManifestEntry {
  /// What its licence allows.
  public var terms: Licence { Licence(licence) }

  /// Whether a report may carry the sound, or sound made from it. A report that does so for a
  /// `noncommercial` one must not be sold.
  public var mayBeEmbedded: Bool { terms.redistribution != .none }
}

extension String {
  /// Its parts between occurrences of a word, without spaces around them.
  fileprivate func parts(between word: String) -> [String] {
    components(separatedBy: word).map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
