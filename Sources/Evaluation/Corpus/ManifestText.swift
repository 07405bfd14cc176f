/// The text of a manifest to append rows to; existing rows keep their text.
struct ManifestText {
  private(set) var text: String
  private(set) var ids: Set<String>
  private let columnCount: Int

  /// - Parameters:
  ///   - text: a valid manifest, or empty for a new one.
  ///   - ids: the ids of its rows.
  init(_ text: String, ids: [String]) {
    self.ids = Set(ids)
    var lines = text.split { $0.isNewline }.map(String.init)
    if lines.isEmpty { lines = [ManifestEntry.columns.joined(separator: ",")] }
    if lines[0].hasSuffix(",shows") {
      lines[0] += ",truth"
      for row in lines.indices.dropFirst() { lines[row] += "," }
    }
    columnCount = lines[0].split(separator: ",").count
    self.text = lines.joined(separator: "\n") + "\n"
  }

  mutating func append(_ entry: ManifestEntry) {
    ids.insert(entry.id)
    text += entry.row(columns: columnCount) + "\n"
  }
}
