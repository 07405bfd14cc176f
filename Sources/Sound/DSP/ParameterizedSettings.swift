/// Settings that list their parameters.
///
/// A type lists `parameters` and stores their values in properties; everything else about them
/// derives from the list.
public protocol ParameterizedSettings: Codable, Equatable, Sendable {
  /// The parameters, in the order of lists.
  static var parameters: [Parameter<Self>] { get }

  /// Makes the default settings.
  init()

  /// Checks all values, and what one allows another.
  func validate() throws(SettingsError)
}

extension ParameterizedSettings {
  /// Makes default settings with a change.
  public init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }

  public func validate() throws(SettingsError) { try validateParameters() }

  /// Checks each value by itself.
  public func validateParameters() throws(SettingsError) {
    for parameter in Self.parameters { try parameter.check(self) }
  }

  /// Decodes the settings present; the others are defaults. An unknown name is an error.
  public init(from decoder: any Decoder) throws { try self.init(parametersFrom: decoder) }

  /// - Parameter others: names in the same object that belong to somebody else.
  public init(parametersFrom decoder: any Decoder, besides others: [String] = []) throws {
    self.init()
    let container = try decoder.container(keyedBy: NameKey.self)
    let names = Self.parameters.map(\.name) + others
    for key in container.allKeys where !names.contains(key.stringValue) {
      let path = (decoder.codingPath + [key]).map { $0.intValue.map(String.init) ?? $0.stringValue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: "nothing is called '\(path.joined(separator: "."))'; there is "
          + names.sorted().joined(separator: ", "))
    }
    for parameter in Self.parameters { try parameter.decode(&self, container) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    for parameter in Self.parameters { try parameter.encode(self, &container) }
  }

  /// Returns the parameter of a name; `nil` if there is none.
  public static func parameter(_ name: String) -> Parameter<Self>? {
    parameters.first { $0.name == name }
  }

  /// Sets a parameter.
  ///
  /// - Returns: false if there is none of that name and type; nothing has changed.
  public mutating func set(_ name: String, to value: ParameterValue) -> Bool {
    Self.parameter(name)?.set(value, in: &self) ?? false
  }
}

// MARK: Values by name

/// The value of a parameter.
public enum ParameterValue: Equatable, Sendable, CustomStringConvertible {
  case number(Double)
  case flag(Bool)
  case word(String)

  /// The value's shortest spelling.
  public var description: String {
    switch self {
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    case .flag(let isOn): isOn ? "true" : "false"
    case .word(let word): word
    }
  }
}

extension Parameter {
  /// Returns the value in settings; `nil` for a part.
  public func value(in settings: Settings) -> ParameterValue? {
    switch value {
    case .number(let place, _): .number(settings[keyPath: place])
    case .whole(let place, _): .number(Double(settings[keyPath: place]))
    case .flag(let place): .flag(settings[keyPath: place])
    case .choice(let place, _): .word(settings[keyPath: place])
    case .part: nil
    }
  }

  /// Sets a value; its range is checked with all others.
  ///
  /// - Returns: false if the value is of another type; nothing has changed.
  public func set(_ value: ParameterValue, in settings: inout Settings) -> Bool {
    switch (self.value, value) {
    case (.number(let place, _), .number(let number)): settings[keyPath: place] = number
    case (.whole(let place, _), .number(let number)):
      guard let whole = Int(exactly: number) else { return false }
      settings[keyPath: place] = whole
      return settings[keyPath: place] == whole
    case (.flag(let place), .flag(let isOn)): settings[keyPath: place] = isOn
    // A number is a flag too: 0 is off.
    case (.flag(let place), .number(let number)): settings[keyPath: place] = number != 0
    case (.choice(let place, let words), .word(let word)):
      guard words.contains(word) else { return false }
      settings[keyPath: place] = word
    default: return false
    }
    return true
  }
}

/// A parameter of settings of any type: for lists, and for reading values.
public struct ParameterInfo: Sendable {
  public enum Allowed: Equatable, Sendable {
    case numbers(ClosedRange<Double>)
    case flags
    case words([String])
  }

  public let name: String
  public let summary: String
  public let allowed: Allowed
  public let defaultValue: ParameterValue

  /// Makes what is known of a parameter; `nil` for a part.
  public init?<Settings>(_ parameter: Parameter<Settings>, defaults: Settings) {
    guard let value = parameter.value(in: defaults) else { return nil }
    (name, summary, defaultValue) = (parameter.name, parameter.summary, value)
    switch parameter.value {
    case .number(_, let range): allowed = .numbers(range)
    case .whole(_, let range):
      allowed = .numbers(Double(range.lowerBound)...Double(range.upperBound))
    case .flag: allowed = .flags
    case .choice(_, let words): allowed = .words(words)
    case .part: return nil
    }
  }

  public var unit: ParameterUnit {
    if case .numbers = allowed {
      ParameterUnit(ofParameter: name)
    } else {
      ParameterUnit(ofParameter: "")
    }
  }

  /// The allowed values as text: "20 to 20000 Hz".
  public var allowedText: String {
    switch allowed {
    case .numbers(let range):
      "\(ParameterValue.number(range.lowerBound)) to \(ParameterValue.number(range.upperBound))"
        + (unit.symbol.isEmpty ? "" : " \(unit.symbol)")
    case .flags: "true or false"
    case .words(let words): words.joined(separator: ", ")
    }
  }
}

extension ParameterizedSettings {
  /// Names, ranges and defaults of the parameters, in their order.
  public static var infos: [ParameterInfo] {
    let defaults = Self()
    return parameters.compactMap { ParameterInfo($0, defaults: defaults) }
  }

  /// The values of the parameters, in their order.
  public var values: [ParameterValue] { Self.parameters.compactMap { $0.value(in: self) } }
}
