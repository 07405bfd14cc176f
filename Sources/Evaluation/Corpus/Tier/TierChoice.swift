import Foundation
import Platform

extension Corpus {
  /// Returns the recordings of a tier, in the order of the manifest.
  ///
  /// Each step takes the recording whose voice, register, technique and origin are rarest among those
  /// taken so far; a hash of the id decides among equals. So every class is covered once before any
  /// is covered twice, and the same corpus gives the same choice. Probes and voices after stress are
  /// always included. Recordings with missing files, and those that the manifest keeps for larger
  /// tiers, are left out.
  public func choice(of tier: Tier) throws -> [ManifestEntry] {
    let (benchSounds, voices) = (
      present.filter(\.isBenchSound),
      present.filter { !$0.isBenchSound && ($0.smallestTier ?? .smoke) <= tier }
    )
    guard tier != .release else { return present }
    let taken = Set(
      (try spread(voices, maxRecordings: tier.maxRecordings, maxSeconds: tier.maxSeconds)
        + benchSounds).map(\.id))
    return present.filter { taken.contains($0.id) }
  }

  /// Returns the recordings that differ most, within a number and a total duration, in the order of
  /// `voices`.
  ///
  /// - Parameter secondsBeside: duration that each recording takes beside its own.
  package func spread(
    _ voices: [ManifestEntry], maxRecordings: Int = .max, maxSeconds: Double,
    secondsBeside: Double = 0
  ) throws -> [ManifestEntry] {
    var facts = RecordingFactsCache(beside: self)
    var waiting = try voices.map { Candidate($0, try facts.facts(of: $0, in: self)) }
    facts.save()
    waiting.sort { $0.rank < $1.rank }
    var (taken, seen) = (Set<String>(), [String: Int]())
    var secondsLeft = maxSeconds
    while taken.count < maxRecordings {
      waiting.removeAll { $0.seconds + secondsBeside > secondsLeft }
      let news = waiting.map { $0.news(after: seen) }
      guard let most = news.max(), let next = news.firstIndex(of: most) else { break }
      let chosen = waiting.remove(at: next)
      taken.insert(chosen.id)
      secondsLeft -= chosen.seconds + secondsBeside
      for stratum in chosen.strata { seen[stratum, default: 0] += 1 }
    }
    return voices.filter { taken.contains($0.id) }
  }

  /// The reason why no tier takes a recording of the manifest: its file is not on this machine.
  package func absence(of id: String) -> Refusal? {
    guard let entry = try? entry(id: id), let file = file(of: entry),
      !present.contains(where: { $0.id == id })
    else { return nil }
    return .recordingMissing(id: id, path: file.relativePath)
  }

  /// The recordings whose files are on this machine, and the synthetic ones.
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

/// A recording that a tier may take.
private struct Candidate {
  let id: String
  let seconds: Double
  /// Its classes, at most one on each axis; an unknown voice or register is no class.
  let strata: [String]
  /// Its order among equals.
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

  /// Returns the gain of taking it: a class that was taken n times counts 1 / (n + 1).
  func news(after seen: [String: Int]) -> Double {
    strata.reduce(0) { $0 + 1 / Double(1 + (seen[$1] ?? 0)) }
  }
}

extension ManifestEntry {
  /// The technique that the manifest states; without one, from the name of a synthetic performance,
  /// and the kind of any other.
  package var technique: String {
    statedTechnique
      ?? syntheticName.flatMap { $0.split(separator: "-").first.map(String.init) } ?? kind
  }

  fileprivate var origin: String {
    if syntheticName != nil { return "synthetic" }
    return copiedID == nil ? "recorded" : "copied"
  }
}
