import Subjects

/// A subject of a plan, with its own settings.
///
/// It is written in YAML as an id, or as `{id: reference, settings: {engine: [psola]},
/// constraints: [...]}`. The same subject may occur several times with different settings.
public struct SubjectChoice: Codable, Equatable, Sendable {
  /// Id of a subject of this package or of a file in `Corpus/subjects`, or the path of such a file.
  public var id: String
  /// Values to try of each setting; they replace those for all subjects.
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
