/// The permissions of a recording's licence, from its SPDX expression.
///
/// A licence that is not known to allow copies counts as forbidding them. A text that is not an exact
/// expression is refused.
public struct Licence: Equatable, Sendable {
  /// An SPDX identifier or expression, such as `CC-BY-4.0`; `LicenseRef-…` for any other.
  public let id: String
  public let redistribution: Redistribution
  /// True if the rights holders must be named wherever the sound is played or shown.
  public let needsAttribution: Bool

  /// The permission to give away copies of the sound, and sound made from it.
  public enum Redistribution: String, Codable, Sendable, Comparable {
    /// Forbidden, or not known to be allowed.
    case none
    /// Allowed for noncommercial use.
    case noncommercial
    /// Allowed for any use.
    case free

    private var rank: Int { [.none, .noncommercial, .free].firstIndex(of: self)! }
    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  }

  /// Reads an SPDX expression.
  ///
  /// `A OR B` has the freer permission of the two, `A AND B` the stricter. Exceptions of the SPDX
  /// list only allow more and are ignored. An `AdditionRef-…` is unknown and so allows nothing.
  ///
  /// - Throws: `SPDXError` if the text is no licence expression of SPDX.
  public init(_ expression: String) throws(SPDXError) {
    let terms = try LicenceExpression.terms(of: expression)
    (id, redistribution, needsAttribution) = (
      expression, terms.redistribution, terms.needsAttribution
    )
  }

  /// The permissions of a part of an expression.
  struct Terms {
    var redistribution: Redistribution
    var needsAttribution: Bool

    static let unknown = Terms(redistribution: .none, needsAttribution: true)

    func and(_ other: Terms) -> Terms {
      Terms(
        redistribution: min(redistribution, other.redistribution),
        needsAttribution: needsAttribution || other.needsAttribution)
    }

    func or(_ other: Terms) -> Terms {
      if redistribution != other.redistribution {
        return redistribution > other.redistribution ? self : other
      }
      return Terms(
        redistribution: redistribution,
        needsAttribution: needsAttribution && other.needsAttribution)
    }
  }
}

extension Licence.Terms {
  /// Returns the terms of one licence.
  ///
  /// - Parameter id: its identifier, spelled as in the SPDX list.
  init(ofLicence id: String) {
    needsAttribution = !Self.ownerless.contains(id)
    if id.hasPrefix("CC-BY-") {
      // A harmony made from a recording is a derivative, which ND forbids to share.
      redistribution = id.contains("-ND") ? .none : id.contains("-NC") ? .noncommercial : .free
    } else {
      let isFree = !needsAttribution || Self.freeFamilies.contains { id.hasPrefix($0) }
      redistribution = isFree ? .free : .none
    }
  }

  private static let ownerless: Set = ["CC0-1.0", "PDDL-1.0", "Unlicense", "0BSD", "MIT-0"]
  /// Prefixes of SPDX identifiers.
  private static let freeFamilies = [
    "GPL-", "LGPL-", "AGPL-", "GFDL-", "BSD-", "MIT", "ISC", "Apache-2.0", "ODbL-", "ODC-By-",
    "CDLA-", "Artistic-", "MPL-", "LAL-",
  ]
}

extension ManifestEntry {
  /// The permissions of its licence; `nil` if it is no SPDX expression, which a manifest refuses.
  public var terms: Licence? { try? Licence(licence) }

  /// True if a report may contain the sound, or sound made from it. A report with a `noncommercial`
  /// sound must not be sold.
  public var mayBeEmbedded: Bool { (terms?.redistribution ?? .none) != .none }
}
