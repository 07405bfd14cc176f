/// A parameter of a settings type: its name, its place, the values that it allows, and its function.
///
/// A type lists its parameters once (`ParameterizedSettings.parameters`); coding, validation, setting
/// by name, flags and documentation derive from the list.
///
/// A key path made of literals is immutable, which the compiler can't see of an appended one.
public struct Parameter<Settings>: @unchecked Sendable {
  public typealias Place<Value> = WritableKeyPath<Settings, Value>

  /// The parameter's name everywhere. Its suffix is its unit (`Hz`, `Ms`, `Seconds`, `Db`, `Cents`,
  /// …); without one it is a ratio.
  public let name: String
  /// The parameter's function, for users.
  public let summary: String
  public let value: Value
  let check: (Settings) throws(SettingsError) -> Void
  private(set) var decode: (inout Settings, KeyedDecodingContainer<NameKey>) throws -> Void
  let encode: (Settings, inout KeyedEncodingContainer<NameKey>) throws -> Void

  public enum Value {
    case number(Place<Double>, ClosedRange<Double>)
    case whole(Place<Int>, ClosedRange<Int>)
    case flag(Place<Bool>)
    /// One of several words.
    case choice(Place<String>, [String])
    /// A value of several parts, such as settings within settings; it isn't set by name.
    case part
  }

  /// Makes a parameter whose value has a coding of its own and is never missing.
  private init<Coded: Codable>(
    _ name: String, _ value: Value, _ summary: String, coded place: Place<Coded>,
    check: @escaping (Settings) throws(SettingsError) -> Void
  ) {
    (self.name, self.value, self.summary, self.check) = (name, value, summary, check)
    let key = NameKey(stringValue: name)
    decode = { settings, container in
      if let value = try container.decodeIfPresent(Coded.self, forKey: key) {
        settings[keyPath: place] = value
      }
    }
    encode = { try $1.encode($0[keyPath: place], forKey: key) }
  }

  /// Makes a parameter whose value may be missing.
  private init<Coded: Codable>(
    _ name: String, _ value: Value, _ summary: String, optional place: Place<Coded?>,
    check: @escaping (Settings) throws(SettingsError) -> Void
  ) {
    (self.name, self.value, self.summary, self.check) = (name, value, summary, check)
    let key = NameKey(stringValue: name)
    decode = { $0[keyPath: place] = try $1.decodeIfPresent(Coded.self, forKey: key) }
    encode = { try $1.encodeIfPresent($0[keyPath: place], forKey: key) }
  }

  public init(
    _ name: String, _ place: Place<Double>, in allowed: ClosedRange<Double>, _ summary: String
  ) {
    self.init(name, .number(place, allowed), summary, coded: place) {
      (settings) throws(SettingsError) in try require(name, settings[keyPath: place], in: allowed)
    }
  }

  /// Makes a number that may be left open.
  public init(
    _ name: String, optional place: Place<Double?>, in allowed: ClosedRange<Double>,
    _ summary: String
  ) {
    let number = place.appending(path: \.orZero)
    self.init(name, .number(number, allowed), summary, optional: place) {
      (settings) throws(SettingsError) in
      if let value = settings[keyPath: place] { try require(name, value, in: allowed) }
    }
  }

  public init(
    _ name: String, _ place: Place<Int>, in allowed: ClosedRange<Int>, _ summary: String
  ) {
    let numbers = Double(allowed.lowerBound)...Double(allowed.upperBound)
    self.init(name, .whole(place, allowed), summary, coded: place) {
      (settings) throws(SettingsError) in
      try require(name, Double(settings[keyPath: place]), in: numbers)
    }
  }

  /// Makes a seed of random variation.
  public init(_ name: String, seed place: Place<UInt64>, _ summary: String) {
    let allowed = 0...Int(1 << 53)  // the whole numbers that a Double has
    self.init(
      name, .whole(place.appending(path: \.whole), allowed), summary, coded: place
    ) { _ throws(SettingsError) in }
  }

  public init(_ name: String, _ place: Place<Bool>, _ summary: String) {
    self.init(name, .flag(place), summary, coded: place) { _ throws(SettingsError) in }
  }

  /// Makes a choice among words, which settings store as text.
  public init(_ name: String, _ place: Place<String>, of words: [String], _ summary: String) {
    (self.name, value, self.summary) = (name, .choice(place, words), summary)
    check = { _ throws(SettingsError) in }
    let key = NameKey(stringValue: name)
    decode = { settings, container in
      guard let word = try container.decodeIfPresent(String.self, forKey: key) else { return }
      guard words.contains(word) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(name) is '\(word)'; choose \(words.joined(separator: ", "))")
      }
      settings[keyPath: place] = word
    }
    encode = { try $1.encode($0[keyPath: place], forKey: key) }
  }

  /// Makes a choice among the cases of an enumeration, by their names.
  public init<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ place: Place<Choice>, _ summary: String
  ) {
    self.init(name, place.appending(path: \.word), of: Choice.allCases.map(\.rawValue), summary)
  }

  /// Makes a value with a coding of its own; settings within settings are validated with them.
  public init<Part: Codable>(_ name: String, part place: Place<Part>) {
    self.init(name, .part, "", coded: place) { (settings) throws(SettingsError) in
      try (settings[keyPath: place] as? any ParameterizedSettings)?.validate()
    }
  }

  /// Makes such a value that the coded settings must have.
  public init<Part: Codable>(_ name: String, required place: Place<Part>) {
    self.init(name, part: place)
    let key = NameKey(stringValue: name)
    decode = { $0[keyPath: place] = try $1.decode(Part.self, forKey: key) }
  }

  /// Makes such a value that may be missing.
  public init<Part: Codable>(_ name: String, optionalPart place: Place<Part?>) {
    self.init(name, .part, "", optional: place) { (settings) throws(SettingsError) in
      try (settings[keyPath: place] as? any ParameterizedSettings)?.validate()
    }
  }

  /// Returns the parameter as one of settings that these are a part of.
  ///
  /// - Parameter name: its name there.
  public func lifted<Whole>(
    by path: WritableKeyPath<Whole, Settings>, as name: String
  ) -> Parameter<Whole> {
    switch value {
    case .number(let place, let allowed):
      Parameter<Whole>(name, path.appending(path: place), in: allowed, summary)
    case .whole(let place, let allowed):
      Parameter<Whole>(name, path.appending(path: place), in: allowed, summary)
    case .flag(let place): Parameter<Whole>(name, path.appending(path: place), summary)
    case .choice(let place, let words):
      Parameter<Whole>(name, path.appending(path: place), of: words, summary)
    case .part: preconditionFailure("\(self.name) has parts")
    }
  }
}

extension Double? {
  fileprivate var orZero: Double {
    get { self ?? 0 }
    set { self = newValue }
  }
}

extension UInt64 {
  /// The nearest `Int`; a negative one changes nothing.
  fileprivate var whole: Int {
    get { Int(clamping: self) }
    set { self = UInt64(exactly: newValue) ?? self }
  }
}

extension RawRepresentable<String> {
  /// The case's name; a name that no case has changes nothing.
  fileprivate var word: String {
    get { rawValue }
    set { self = Self(rawValue: newValue) ?? self }
  }
}

/// A coding key of any name.
public struct NameKey: CodingKey {
  public let stringValue: String
  public var intValue: Int? { nil }

  public init(stringValue: String) { self.stringValue = stringValue }
  public init?(intValue: Int) { nil }
}
