import Foundation

/// What the licence of a recording lets others do with it, read from its SPDX expression.
///
/// Caution decides: what is not known to allow copies does not, and a text that is no exact
/// expression is refused.
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

  /// Of `A OR B` the freer part counts, of `A AND B` the stricter. Exceptions of the SPDX list only
  /// allow more and are passed over; what an `AdditionRef-…` adds is not known, and so allows nothing.
  ///
  /// - Throws: `SPDXError` where the text is no licence expression of SPDX.
  public init(_ expression: String) throws(SPDXError) {
    let terms = Self.terms(of: try SPDXExpression(expression))
    (id, redistribution, needsAttribution) = (expression, terms.0, terms.1)
  }

  private typealias Terms = (redistribution: Redistribution, needsAttribution: Bool)

  private static func terms(of expression: SPDXExpression) -> Terms {
    switch expression {
    case .licence(_, _, let exception?) where SPDXList.exceptions[exception.lowercased()] == nil:
      return (.none, true)
    case .licence(let id, _, _): return terms(ofLicence: id)
    case .and(let first, let second):
      let (a, b) = (terms(of: first), terms(of: second))
      return (min(a.redistribution, b.redistribution), a.needsAttribution || b.needsAttribution)
    case .or(let first, let second):
      let (a, b) = (terms(of: first), terms(of: second))
      if a.redistribution != b.redistribution {
        return a.redistribution > b.redistribution ? a : b
      }
      return (a.redistribution, a.needsAttribution && b.needsAttribution)
    }
  }

  /// - Parameter id: as the SPDX list spells it.
  private static func terms(ofLicence id: String) -> Terms {
    if ownerless.contains(id) { return (.free, false) }
    if id.hasPrefix("CC-BY-") {
      // A harmony made from a recording is a derivative, which ND forbids to pass on.
      if id.contains("-ND") { return (.none, true) }
      return (id.contains("-NC") ? .noncommercial : .free, true)
    }
    return (freeFamilies.contains { id.hasPrefix($0) } ? .free : .none, true)
  }

  private static let ownerless: Set = ["CC0-1.0", "PDDL-1.0", "Unlicense", "0BSD", "MIT-0"]
  /// Beginnings of identifiers of the SPDX list.
  private static let freeFamilies = [
    "GPL-", "LGPL-", "AGPL-", "GFDL-", "BSD-", "MIT", "ISC", "Apache-2.0", "ODbL-", "ODC-By-",
    "CDLA-", "Artistic-", "MPL-", "LAL-",
  ]
}

extension ManifestEntry {
  /// What its licence allows; `nil` where that is no SPDX expression, which no manifest has.
  public var terms: Licence? { try? Licence(licence) }

  /// Whether a report may carry the sound, or sound made from it. A report that does so for a
  /// `noncommercial` one must not be sold.
  public var mayBeEmbedded: Bool { (terms?.redistribution ?? .none) != .none }
}
