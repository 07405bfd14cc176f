import Platform

extension ManifestEntry {
  /// The id of the recording that this one resynthesizes, from a source `copy:ID`.
  public var copiedID: String? {
    source.hasPrefix("copy:") ? String(source.dropFirst("copy:".count)) : nil
  }

  /// True if the sound is synthesized on use rather than read from a file.
  public var isMade: Bool { syntheticName != nil || copiedID != nil }
}

extension Corpus {
  /// Returns the recording that a copy is made from.
  func original(of entry: ManifestEntry, _ id: String) throws -> ManifestEntry {
    let original = try self.entry(id: id)
    guard !original.isMade else {
      throw CorpusError.alreadySynthetic(id: entry.id, source: id)
    }
    return original
  }

  /// Makes a copy with exactly known pitch.
  func copy(_ entry: ManifestEntry, of id: String) throws -> Recording {
    let original = try recording(original(of: entry, id))
    let copy = CopySynthesis(of: original.signal).render()
    return Recording(
      entry: entry, signal: copy.signal, digest: try digest(of: entry, copying: id),
      truth: copy.truth)
  }

  /// Returns a digest of the original's content and of the version of the copying.
  func digest(of entry: ManifestEntry, copying id: String) throws -> String {
    Digest.sha256(
      "copy:\(try digest(of: original(of: entry, id))):\(CopySynthesis.version)")
  }
}
