import Corpus
import Subjects

/// A subject of a plan, with its own settings and its part of the plan.
///
/// It is written in YAML as an id, or as `{id: reference, settings: {engine: [psola]},
/// constraints: [...], recordings: [...], conditions: [...], scores: [...]}`. The same subject may
/// occur several times.
public struct SubjectChoice: Codable, Equatable, Sendable {
  /// Id of a subject of this package or of a file in `Corpus/subjects`, or the path of such a file.
  public var id: String
  /// Values to try of each setting; they replace those for all subjects.
  public var settings: SettingAxes
  public var constraints: [String]?
  /// Ids or patterns of the plan's recordings that it gets; `nil` means all.
  public var recordings: [String]?
  /// The conditions of the plan that it is heard under; `nil` means all.
  public var conditions: [Condition]?
  /// Ids of the plan's scores that it sings; `nil` means all.
  public var scores: [String]?

  public init(
    id: String, settings: SettingAxes = SettingAxes([]), constraints: [String]? = nil,
    recordings: [String]? = nil, conditions: [Condition]? = nil, scores: [String]? = nil
  ) {
    (self.id, self.settings, self.constraints) = (id, settings, constraints)
    (self.recordings, self.conditions, self.scores) = (recordings, conditions, scores)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, settings, constraints, recordings, conditions, scores
  }

  func takes(recording id: String) -> Bool {
    recordings?.contains { Wildcard($0).matches(id) } ?? true
  }

  /// Returns true for a condition of its part. A sound of the bench is heard clean whatever the
  /// part says.
  func takes(_ condition: Condition, of entry: ManifestEntry) -> Bool {
    entry.isBenchSound || conditions?.contains(condition) ?? true
  }

  func takes(_ score: Score) -> Bool { scores?.contains(score.id) ?? true }
}
