import Corpus
import Singer

extension Corpus {
  /// Returns the class of each recording with a voice, without a condition. Sounds of the bench have none. A recording that can't be
  /// read has none.
  public func classes(of ids: [String]) -> [String: RecordingClass] {
    var cache = RecordingFactsCache(beside: self)
    var classes: [String: RecordingClass] = [:]
    for id in ids {
      guard let entry = try? entry(id: id), !entry.isBenchSound,
        let facts = try? cache.facts(of: entry, in: self)
      else { continue }
      classes[id] = RecordingClass(
        entry, holdsWords: holdsWords(entry), medianHz: facts.medianF0Hz)
    }
    cache.save()
    return classes
  }

  private func holdsWords(_ entry: ManifestEntry) -> Bool {
    if let performance = Oracle.performance(behind: entry) {
      return entry.holdsWords(phones: performance.phones.map(\.phone.rawValue))
    }
    guard let annotations = try? annotations(of: entry) else { return false }
    return annotations.holdWords ?? entry.holdsWords(phones: annotations.phones?.map(\.label))
  }
}
