import Effects
import Foundation

/// Coding. Omitted settings keep their defaults; an unknown key is an error, however deep it lies.
extension Preset {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, summary, speed, autotuner, harmonizer, effects
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .name),
      try container.decodeIfPresent(String.self, forKey: .summary) ?? "",
      speed: try container.decodeIfPresent(Double.self, forKey: .speed) ?? 1,
      autotuner: try container.decodeIfPresent(AutoTuner.Settings.self, forKey: .autotuner),
      harmonizer: try container.decodeIfPresent(Harmonizer.Settings.self, forKey: .harmonizer),
      effects: try container.decodeIfPresent(EffectChain.self, forKey: .effects) ?? EffectChain())
    do { try validate() } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  /// Reads JSON, as `json` writes it or a person does.
  public init(json: Data) throws {
    self = try JSONDecoder().decode(Preset.self, from: json)
    let given = try JSONSerialization.jsonObject(with: json)
    let known = try JSONSerialization.jsonObject(with: try self.json)
    if let stray = Self.strayKey(given, known, []) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "nothing is called '\(stray.path.joined(separator: "."))'; there is "
            + stray.allowed.sorted().joined(separator: ", ")))
    }
  }

  /// All there is to say of it, for people to read and change.
  public var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// A key in `given` that `known`, the same written out in full, does not have.
  private static func strayKey(
    _ given: Any, _ known: Any, _ path: [String]
  ) -> (path: [String], allowed: [String])? {
    if let given = given as? [String: Any], let known = known as? [String: Any] {
      for (key, value) in given.sorted(by: { $0.key < $1.key }) {
        // Nothing is what it is when it isn't there; a fixed interval may be spelled as a part.
        if value is NSNull || key == "part" && known["intervalSemitones"] != nil { continue }
        guard let full = known[key] else {
          let all = path.isEmpty ? CodingKeys.allCases.map(\.rawValue) : Array(known.keys)
          return (path + [key], all)
        }
        if let stray = strayKey(value, full, path + [key]) { return stray }
      }
    } else if let given = given as? [Any], let known = known as? [Any] {
      for (place, (value, full)) in zip(given, known).enumerated() {
        if let stray = strayKey(value, full, path + ["\(place)"]) { return stray }
      }
    }
    return nil
  }
}
