import Corpus
import Platform

extension Plan {
  /// Returns the plan with its recordings listed, from a tier, a filter or patterns; a plain list
  /// is kept.
  ///
  /// A tier omits recordings whose files are missing, which ``Corpus/Finding`` names. A filter does
  /// not: a missing file fails by name.
  public func resolved(in corpus: Corpus) throws -> Plan {
    guard !corpus.entries.isEmpty else {
      throw Refusal.emptyCorpus(path: corpus.folder.path)
    }
    var plan = self
    if let tier {
      plan.recordings = try corpus.choice(of: tier).map(\.id)
    } else if let filter {
      plan.recordings = corpus.entries.filter(filter.takes).map(\.id)
    } else {
      plan.recordings = try recordings.flatMap { id in
        guard Wildcard(id).isPattern else { return [id] }
        let found = corpus.entries.map(\.id).filter(Wildcard(id).matches)
        guard !found.isEmpty else {
          throw Refusal.unknownRecording(id: id, known: corpus.entries.map(\.id))
        }
        return found
      }.uniqued()
    }
    guard !plan.recordings.isEmpty else {
      throw Refusal(
        name, "none of the \(corpus.entries.count) recordings fits its filter; widen it")
    }
    if let stray = (listen ?? []).first(where: { !plan.recordings.contains($0) }) {
      if let absence = corpus.absence(of: stray) { throw absence }
      let chosen = plan.recordings.joined(separator: ", ")
      let among = tier.map { "in the tier \($0.rawValue)" } ?? "among its recordings"
      throw Refusal(name, "listens to '\(stray)', which is not \(among): \(chosen)")
    }
    for choice in subjects {
      let stray = choice.recordings?.first { id in
        !plan.recordings.contains(where: Wildcard(id).matches)
      }
      guard let stray else { continue }
      if let absence = corpus.absence(of: stray) { throw absence }
      throw Refusal(
        name,
        "gives '\(choice.id)' the recording '\(stray)', which is not among the plan's: "
          + plan.recordings.joined(separator: ", "))
    }
    return plan
  }
}

/// A condition with everything else that determines its sound.
package struct HeardCondition: Sendable {
  var condition: Condition
  /// Part of the key of every cell under this condition.
  var address: String

  static let clean = HeardCondition(condition: .clean, address: Condition.clean.canonical)
}

extension Plan {
  /// Names of conditions, which a list must not repeat.
  var conditionNames: [String] { (conditions ?? []).map(\.canonical) }

  /// Returns the conditions of a recording in this plan.
  ///
  /// A sound of the bench tests the subject itself, so it is always used clean and once.
  func heardConditions(of entry: ManifestEntry, in corpus: Corpus) throws -> [HeardCondition] {
    guard let conditions, !entry.isBenchSound else { return [.clean] }
    return try conditions.map { condition in
      guard condition != .clean else { return .clean }
      var parts = [condition.canonical, "\(Condition.version)"]
      if let other = condition.otherRecording {
        parts.append(try corpus.digest(of: corpus.entry(id: other)))
      }
      return HeardCondition(condition: condition, address: parts.joined(separator: " "))
    }
  }
}
