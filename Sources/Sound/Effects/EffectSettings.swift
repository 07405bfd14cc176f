import DSP

/// The settings of an effect.
///
/// A type lists its `parameters` and stores their values in properties; validation, coding, the
/// chain language and the documentation derive from the list.
public protocol EffectSettings: Codable, Equatable, Sendable {
  /// The effect's name in chains, in lower case.
  static var effect: String { get }
  /// The effect in a line.
  static var summary: String { get }
  /// The parameters, in the order of lists.
  static var parameters: [EffectParameter<Self>] { get }
  /// The default share of wet sound, from 0 to 1.
  static var defaultMix: Double { get }

  /// Makes the default settings.
  init()

  /// Makes an effect with these settings, ready to run.
  func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect
}

extension EffectSettings {
  public static var defaultMix: Double { 1 }

  public func validate() throws(SettingsError) {
    for parameter in Self.parameters {
      guard case .number(let place, let allowed) = parameter.value else { continue }
      try require(parameter.name, self[keyPath: place], in: allowed)
    }
  }
}

// MARK: Coding by name

extension EffectSettings {
  /// Decodes the settings present; the others are defaults. An unknown name is an error.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: NameKey.self)
    for key in container.allKeys {
      guard let parameter = Self.parameters.first(where: { $0.name == key.stringValue }) else {
        let names = Self.parameters.map(\.name).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(Self.effect) has no '\(key.stringValue)'; it has \(names)")
      }
      switch parameter.value {
      case .number(let place, _):
        self[keyPath: place] = try container.decode(Double.self, forKey: key)
      case .flag(let place):
        self[keyPath: place] = try container.decode(Bool.self, forKey: key)
      case .choice(let place, let words):
        let word = try container.decode(String.self, forKey: key)
        guard words.contains(word) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription: "\(key.stringValue) is '\(word)'; choose "
              + words.joined(separator: ", "))
        }
        self[keyPath: place] = word
      }
    }
    do { try validate() } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    for parameter in Self.parameters {
      let key = NameKey(stringValue: parameter.name)
      switch parameter.value {
      case .number(let place, _): try container.encode(self[keyPath: place], forKey: key)
      case .flag(let place): try container.encode(self[keyPath: place], forKey: key)
      case .choice(let place, _): try container.encode(self[keyPath: place], forKey: key)
      }
    }
  }
}

/// A coding key of any name.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
