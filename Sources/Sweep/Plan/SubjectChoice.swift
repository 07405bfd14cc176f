import Subjects

/// One of the subjects of a plan, with settings that are its alone.
///
/// In YAML an id, or `{id: reference, settings: {engine: [psola]}, constraints: [...]}`. The same
/// subject may be there several times with other settings.
public struct SubjectChoice: Codable, Equatable, Sendable {
  /// Of a subject of this package, of a file in `Corpus/subjects`, or the path of such a file.
  public var id: String
  /// The values to try of each setting; they take the place of those for all subjects.
  public var settings: SettingAxes
  public var constraints: [String]?

  public init(
    id: String, settings: SettingAxes = SettingAxes([]), constraints: [String]? = nil
  ) {
    (self.id, self.settings, self.constraints) = (id, settings, constraints)
  }

  enum CodingKeys: String, CodingKey, CaseIterable { case id, settings, constraints }

  public init(from decoder: any Decoder) throws {
    if let id = try? decoder.singleValueContainer().decode(String.self) {
      self.init(id: id)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(String.self, forKey: .id),
      settings: try container.decodeIfPresent(SettingAxes.self, forKey: .settings)
        ?? SettingAxes([]),
      constraints: try container.decodeIfPresent([String].self, forKey: .constraints))
  }
}
