/// A chain is coded as its text. It is also read from a list, where each branch is a text or a list:
/// `[{"effect": "lowpass", "settings": {"cutoffHz": 2000}, "mix": 0.5, "isOn": true},
/// {"parallel": ["reverb", []]}]`.
extension EffectChain: Codable {
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      do { try self.init(parsing: text) } catch {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
      }
    } else {
      self.init(try [Stage](from: decoder))
    }
    do { try validate() } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension EffectChain.Stage: Decodable {
  private enum Key: String, CaseIterable { case effect, settings, mix, isOn, parallel }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NameKey.self)
    func has(_ key: Key) -> Bool { container.contains(NameKey(stringValue: key.rawValue)) }
    func fail(_ problem: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
    }
    let allowed: [Key] = has(.parallel) ? [.parallel] : [.effect, .settings, .mix, .isOn]
    for key in container.allKeys where !allowed.map(\.rawValue).contains(key.stringValue) {
      throw fail(
        "an effect in a chain has no '\(key.stringValue)'; it has "
          + "\(allowed.map(\.rawValue).joined(separator: ", ")), or parallel alone")
    }
    if has(.parallel) {
      self = .parallel(
        try container.decode([EffectChain].self, forKey: NameKey(stringValue: "parallel")))
      return
    }
    let name = try container.decode(String.self, forKey: NameKey(stringValue: Key.effect.rawValue))
    guard let usual = EffectCatalog.settings(named: name) else {
      let guess = NearestName.to(name, among: EffectCatalog.names).map { "did you mean \($0)? " }
      throw fail(
        "there is no effect '\(name)'; \(guess ?? "")there is "
          + EffectCatalog.names.joined(separator: ", "))
    }
    func settings<Settings: EffectSettings>(_ usual: Settings) throws -> any EffectSettings {
      let key = NameKey(stringValue: Key.settings.rawValue)
      return try container.decodeIfPresent(Settings.self, forKey: key) ?? usual
    }
    let mix = try container.decodeIfPresent(
      Double.self, forKey: NameKey(stringValue: Key.mix.rawValue))
    let isOn = try container.decodeIfPresent(
      Bool.self, forKey: NameKey(stringValue: Key.isOn.rawValue))
    self = .link(EffectChain.Link(try settings(usual), mix: mix, isOn: isOn ?? true))
  }
}
