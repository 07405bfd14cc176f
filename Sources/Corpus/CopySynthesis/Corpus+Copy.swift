import Files

extension ManifestEntry {
  /// The recording that this one is a copy of, where its source is `copy:ID`: sung again with
  /// exactly known pitch.
  public var copiedID: String? {
    source.hasPrefix("copy:") ? String(source.dropFirst("copy:".count)) : nil
  }

  /// Whether the sound is made when it is used, rather than read.
  public var isMade: Bool { syntheticName != nil || copiedID != nil }
}

extension Corpus {
  /// What a copy is made from.
  func original(of entry: ManifestEntry, _ id: String) throws -> ManifestEntry {
    let original = try self.entry(id: id)
    guard !original.isMade else {
      throw CorpusError.recordingUnreadable(
        id: entry.id, reason: "'\(id)' is made itself and has exact truth; copy a recording")
    }
    return original
  }

  /// Sings a recording again.
  func copy(_ entry: ManifestEntry, of id: String) throws -> Recording {
    let original = try recording(original(of: entry, id))
    let copy = CopySynthesis(of: original.signal).render()
    return Recording(
      entry: entry, signal: copy.signal, digest: try digest(of: entry, copying: id),
      truth: copy.truth)
  }

  /// Stands for the original's bytes and the way of copying.
  func digest(of entry: ManifestEntry, copying id: String) throws -> String {
    Digest.sha256(
      "copy:\(try digest(of: original(of: entry, id))):\(CopySynthesis.version)")
  }
}
