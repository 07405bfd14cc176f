import Corpus

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
  func heardConditions(
    of entry: ManifestEntry, in corpus: Corpus
  ) throws -> [HeardCondition] {
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
