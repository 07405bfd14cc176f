import Corpus
import Metrics

extension Corpus {
  /// Returns the facts that `Tuner` needs; a recording whose sound can't be read has no pitch.
  public func facts(of ids: [String]) throws -> [Tuner.Fact] {
    let classes = classes(of: ids)
    var cache = RecordingFactsCache(beside: self)
    let facts = try ids.map { id in
      let entry = try entry(id: id)
      let known = entry.kind == "probe" ? nil : try? cache.facts(of: entry, in: self)
      return Tuner.Fact(
        id: id, kind: entry.kind, voice: entry.voice, medianF0Hz: known?.medianF0Hz,
        recordingClass: classes[id])
    }
    cache.save()
    return facts
  }
}
