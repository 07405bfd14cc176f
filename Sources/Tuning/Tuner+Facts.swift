import Corpus

extension Corpus {
  /// What `Tuner` is to know of recordings. Those whose sound can't be read have no pitch.
  public func facts(of ids: [String]) throws -> [Tuner.Fact] {
    var shelf = RecordingFactsCache(beside: self)
    let facts = try ids.map { id in
      let entry = try entry(id: id)
      let known = entry.kind == "probe" ? nil : try? shelf.facts(of: entry, in: self)
      return Tuner.Fact(
        id: id, kind: entry.kind, voice: entry.voice, medianF0Hz: known?.medianF0Hz)
    }
    shelf.save()
    return facts
  }
}
