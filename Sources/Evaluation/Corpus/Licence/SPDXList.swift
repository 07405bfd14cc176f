import Platform

/// The identifiers of the SPDX licence list, version 3.27.0: spdx.org/licenses.
enum SPDXList {
  /// Licences by their identifiers in lower case: case does not matter in expressions.
  static let licences = byLowercase(PackageResources.licences_txt)
  /// Exceptions, which may follow `WITH`, by their identifiers in lower case.
  static let exceptions = byLowercase(PackageResources.exceptions_txt)

  private static func byLowercase(_ bytes: [UInt8]) -> [String: String] {
    let ids = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return Dictionary(uniqueKeysWithValues: ids.map { ($0.lowercased(), String($0)) })
  }

  /// Suggests identifiers: the most similar, then those with this prefix, the latest versions first.
  /// Only letters and digits count: "gpl2" is a prefix of GPL-2.0-only.
  static func nearest(_ name: String, in list: [String: String]) -> [String] {
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let name = plain(name)
    guard (2...40).contains(name.count) else { return [] }
    let known = list.values.map { (id: $0, plain: plain($0)) }.sorted { $0.id > $1.id }
    let close = known.map { (id: $0.id, distance: EditDistance.between(name, $0.plain)) }
      .filter { $0.distance <= max(1, name.count / 4) }.sorted { $0.distance < $1.distance }
    let family = known.filter { $0.plain.hasPrefix(name) }
      .sorted { $0.plain.count < $1.plain.count }
    return Array((close.map(\.id).prefix(3) + family.map(\.id).prefix(3)).uniqued().prefix(3))
  }
}

/// A text that is no SPDX expression.
public struct SPDXError: Error, Equatable, CustomStringConvertible {
  public let description: String
  /// True if a word is no licence of the list.
  var isUnknownLicence = false

  static func unknown(_ id: String) -> SPDXError {
    SPDXError(
      description: "'\(id)' is not in the SPDX list\(offer(id, SPDXList.licences)); choose a licence "
        + "from spdx.org/licenses, or write LicenseRef-NAME for any other",
      isUnknownLicence: true)
  }

  static func unknownException(_ id: String) -> SPDXError {
    SPDXError(
      description: "'\(id)' is no exception of the SPDX list\(offer(id, SPDXList.exceptions)); "
        + "choose one from spdx.org/licenses/exceptions-index.html, or write AdditionRef-NAME for any other")
  }

  /// - Parameter token: what was found; `nil` for the end.
  static func unexpected(_ token: String?, expected: String) -> SPDXError {
    SPDXError(
      description: token.map {
        "expected \(expected), found '\($0)'; write identifiers joined by AND, OR and WITH, such as "
          + "'CC-BY-4.0 OR MIT', or LicenseRef-NAME for any other terms"
      } ?? "expected \(expected), found the end; complete the licence")
  }

  static let tooDeep = SPDXError(
    description: "has more than 32 nested parentheses; write it with fewer")

  private static func offer(_ id: String, _ list: [String: String]) -> String {
    let nearest = SPDXList.nearest(id.hasSuffix("+") ? String(id.dropLast()) : id, in: list)
    return nearest.isEmpty ? "" : " (nearest: \(nearest.joined(separator: ", ")))"
  }
}
