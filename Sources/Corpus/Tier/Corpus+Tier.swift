import Files
import Foundation
import Singer

extension Corpus {
  /// The recordings of a tier, in the order of the manifest.
  ///
  /// One recording after another is taken, each time the one whose voice, register, technique and
  /// origin are rarest among those taken so far; a fixed seed decides among equals. So every class
  /// is there once before any is there twice, and the same corpus gives the same choice. Probes
  /// are always in. Recordings whose files are missing are left out.
  public func choice(of tier: Tier) throws -> [ManifestEntry] {
    let (probes, voices) = (
      present.filter { $0.kind == "probe" }, present.filter { $0.kind != "probe" }
    )
    guard tier != .release else { return present }
    var facts = RecordingFactsCache(beside: self)
    var waiting = try voices.map { Candidate($0, try facts.facts(of: $0, in: self)) }
    facts.save()
    waiting.sort { $0.rank < $1.rank }
    var taken = Set(probes.map(\.id))
    var seen: [String: Int] = [:]
    var secondsLeft = tier.mostSeconds
    while taken.count - probes.count < tier.mostRecordings {
      waiting.removeAll { $0.seconds > secondsLeft }
      let news = waiting.map { $0.news(after: seen) }
      guard let most = news.max(), let next = news.firstIndex(of: most) else { break }
      let chosen = waiting.remove(at: next)
      taken.insert(chosen.id)
      secondsLeft -= chosen.seconds
      for stratum in chosen.strata { seen[stratum, default: 0] += 1 }
    }
    return present.filter { taken.contains($0.id) }
  }

  /// Recordings that can be had on this machine.
  private var present: [ManifestEntry] {
    entries.filter { entry in
      var original = entry
      if let copied = entry.copiedID {
        guard let source = try? self.entry(id: copied) else { return false }
        original = source
      }
      return file(of: original).map { FileManager.default.fileExists(atPath: $0.path) } ?? true
    }
  }
}

/// A recording that may be taken.
private struct Candidate {
  let id: String
  let seconds: Double
  /// The classes that it stands for, at most one on each axis: not knowing is no class.
  let strata: [String]
  /// Where it stands among equals.
  let rank: String

  init(_ entry: ManifestEntry, _ facts: RecordingFacts) {
    id = entry.id
    seconds = facts.durationSeconds
    let known = ["unknown", "none", ""].contains(entry.voice) ? nil : entry.voice
    strata = [
      known.map { "voice " + $0 }, facts.register.map { "register " + $0.rawValue },
      "technique " + entry.technique, "origin " + entry.origin,
    ].compactMap(\.self)
    rank = Digest.sha256("tier 1 \(entry.id)")
  }

  /// How much this would add: a class that was taken n times counts 1 / (n + 1).
  func news(after seen: [String: Int]) -> Double {
    strata.reduce(0) { $0 + 1 / Double(1 + (seen[$1] ?? 0)) }
  }
}

extension ManifestEntry {
  /// How it is sung, where the name of a performance says so; its kind otherwise.
  package var technique: String {
    syntheticName.flatMap { $0.split(separator: "-").first.map(String.init) } ?? kind
  }

  fileprivate var origin: String {
    if syntheticName != nil { return "synthetic" }
    return copiedID == nil ? "recorded" : "copied"
  }
}

/// Facts by digest, kept beside the sound so that no recording is tracked twice.
package struct RecordingFactsCache {
  private let url: URL
  private var known: [String: RecordingFacts]
  private var changed = false

  package init(beside corpus: Corpus) {
    url = corpus.audioFolder.appendingPathComponent(".facts.json")
    let data = (try? Data(contentsOf: url)) ?? Data()
    known = (try? JSONDecoder().decode([String: RecordingFacts].self, from: data)) ?? [:]
  }

  package mutating func facts(of entry: ManifestEntry, in corpus: Corpus) throws -> RecordingFacts {
    if let name = entry.syntheticName, let performance = try? Songbook.performance(id: name) {
      return RecordingFacts(of: performance)
    }
    let digest = try corpus.digest(of: entry)
    if let facts = known[digest] { return facts }
    let facts = RecordingFacts(of: try corpus.recording(entry).signal)
    (known[digest], changed) = (facts, true)
    return facts
  }

  /// A folder that can't be written to costs time alone.
  package func save() {
    guard changed, let data = try? JSONEncoder.canonical.encode(known) else { return }
    try? data.write(to: url, options: .atomic)
  }
}
