import Platform

/// The identifiers of the SPDX licence list, version 3.27.0: spdx.org/licenses.
enum SPDXList {
  /// Licences by their identifiers in lower case: case does not matter.
  static let licences: [String: String] = {
    let ids = String(decoding: PackageResources.licences_txt, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    return Dictionary(uniqueKeysWithValues: ids.map { ($0.lowercased(), String($0)) })
  }()

  /// Suggests identifiers: the most similar, then those with this prefix, the latest versions first.
  /// Only letters and digits count: "gpl2" is a prefix of GPL-2.0-only.
  static func nearest(_ name: String) -> [String] {
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let name = plain(name)
    guard (2...40).contains(name.count) else { return [] }
    let known = licences.values.map { (id: $0, plain: plain($0)) }.sorted { $0.id > $1.id }
    let close = known.map { (id: $0.id, distance: EditDistance.between(name, $0.plain)) }
      .filter { $0.distance <= max(1, name.count / 4) }.sorted { $0.distance < $1.distance }
    let family = known.filter { $0.plain.hasPrefix(name) }
      .sorted { $0.plain.count < $1.plain.count }
    return Array((close.map(\.id).prefix(3) + family.map(\.id).prefix(3)).uniqued().prefix(3))
  }
}
