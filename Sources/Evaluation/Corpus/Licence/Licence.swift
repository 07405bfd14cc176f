import Platform

/// The permissions of a recording's licence, from its SPDX identifier.
///
/// A licence that is not known to allow copies counts as forbidding them.
public struct Licence: Equatable, Sendable {
  /// An SPDX identifier, such as `CC-BY-4.0`; `LicenseRef-…` for any other.
  public let id: String
  public let redistribution: Redistribution
  /// True if the rights holders must be named wherever the sound is played or shown.
  public let needsAttribution: Bool

  /// The permission to give away copies of the sound, and sound made from it.
  public enum Redistribution: String, Codable, Sendable {
    /// Forbidden, or not known to be allowed.
    case none
    /// Allowed for noncommercial use.
    case noncommercial
    /// Allowed for any use.
    case free
  }

  /// - Throws: a `Refusal` with the nearest identifiers if the text is none of the SPDX list.
  public init(_ text: String) throws(Refusal) {
    id = text
    if (try? #/LicenseRef-[A-Za-z0-9.-]+/#.wholeMatch(in: text)) != nil {
      (redistribution, needsAttribution) = (.none, true)
      return
    }
    // "GPL-2.0+" is an old identifier of its own; "Apache-2.0+" means a later version as well.
    let names = text.hasSuffix("+") ? [text, String(text.dropLast())] : [text]
    guard let known = names.lazy.compactMap({ SPDXList.licences[$0.lowercased()] }).first else {
      let nearest = SPDXList.nearest(names.last!)
      throw Refusal(
        "'\(text)' is not in the SPDX list"
          + (nearest.isEmpty ? "" : " (nearest: \(nearest.joined(separator: ", ")))")
          + "; choose a licence from spdx.org/licenses, of several the one that you use, or write "
          + "LicenseRef-NAME for any other terms")
    }
    needsAttribution = !Self.ownerless.contains(known)
    if known.hasPrefix("CC-BY-") {
      // A harmony made from a recording is a derivative, which ND forbids to share.
      redistribution =
        known.contains("-ND") ? .none : known.contains("-NC") ? .noncommercial : .free
    } else {
      let isFree = !needsAttribution || Self.freeFamilies.contains { known.hasPrefix($0) }
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
  /// The permissions of its licence; `nil` if it is no SPDX identifier, which a manifest refuses.
  public var terms: Licence? { try? Licence(licence) }

  /// True if a report may contain the sound, or sound made from it. A report with a `noncommercial`
  /// sound must not be sold.
  public var mayBeEmbedded: Bool { (terms?.redistribution ?? .none) != .none }
}
