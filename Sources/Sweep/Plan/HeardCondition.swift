import Corpus

/// A condition with what else decides how it sounds.
package struct HeardCondition: Sendable {
  var condition: Condition
  /// Part of the address of everything measured through it.
  var address: String

  static let clean = HeardCondition(condition: .clean, address: Condition.clean.canonical)
}

extension Plan {
  /// The names that lists of conditions must not repeat.
  var conditionNames: [String] { (conditions ?? []).map(\.canonical) }

  /// What a recording of this plan is heard through.
  ///
  /// A probe asks one question of the subject itself, so it is heard clean and once, whatever the
  /// plan says.
  func heardConditions(
    of entry: ManifestEntry, in corpus: Corpus
  ) throws -> [HeardCondition] {
    guard let conditions, entry.kind != "probe" else { return [.clean] }
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
