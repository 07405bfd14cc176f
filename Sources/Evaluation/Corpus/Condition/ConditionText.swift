import Foundation

/// The text form of conditions in plans: `clean`, `noise(snrDb=20,colour=pink)`.
extension Condition: Codable, CustomStringConvertible {
  /// Parses the text form.
  ///
  /// - Throws: ``ConditionError``, which lists what is allowed.
  public init(_ text: String) throws(ConditionError) {
    var words = try ConditionWords(text)
    switch words.name {
    case "clean": self = .clean
    case "noise":
      self = .noise(
        snrDb: try words.number("snrDb", in: -20...80),
        colour: try words.colour("colour", default: .white), seed: try words.seed())
    case "room":
      self = .room(
        Room(
          rt60S: try words.number("rt60S", in: 0.05...10),
          directDb: try words.number("directDb", in: -30...40, default: 5),
          seed: try words.seed()))
    case "level": self = .level(db: try words.number("db", in: -90...40))
    case "clip": self = .clip(overDb: try words.number("overDb", in: 0...60))
    case "bandwidth": self = .bandwidth(hz: try words.number("hz", in: 200...20_000))
    case "bleed":
      self = .bleed(
        id: try words.text("id"), levelDb: try words.number("levelDb", in: -80...20))
    default: throw .unknownName(words.name, allowed: Self.names)
    }
    try words.finish()
  }

  static let names = ["clean", "noise", "room", "level", "clip", "bandwidth", "bleed"]

  public var description: String { canonical }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { self = try Condition(try container.decode(String.self)) } catch let error
      as ConditionError
    {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(canonical)
  }
}

/// A text that is no condition.
public enum ConditionError: Error, Equatable, CustomStringConvertible {
  case malformed(String)
  case unknownName(String, allowed: [String])
  case unknownParameter(String, of: String, allowed: [String])
  case missing(String, of: String)
  case notANumber(String, of: String, value: String)
  case outOfRange(String, of: String, value: Double, allowed: ClosedRange<Double>)
  case unknownChoice(String, of: String, value: String, allowed: [String])

  public var description: String {
    switch self {
    case .malformed(let text):
      "'\(text)' is not a condition; write it as in 'noise(snrDb=20,colour=pink)'"
    case .unknownName(let name, let allowed):
      "there is no condition '\(name)'; choose one of \(allowed.joined(separator: ", "))"
    case .unknownParameter(let name, let condition, let allowed):
      allowed.isEmpty
        ? "\(condition) has no '\(name)'; it takes no parameters"
        : "\(condition) has no '\(name)'; it has \(allowed.joined(separator: ", "))"
    case .missing(let name, let condition):
      "\(condition) needs \(name); write \(condition)(\(name)=…)"
    case .notANumber(let name, let condition, let value):
      "\(name) of \(condition) is '\(value)'; write a number"
    case .outOfRange(let name, let condition, let value, let allowed):
      "\(name) of \(condition) is \(value); choose \(allowed.lowerBound) to \(allowed.upperBound)"
    case .unknownChoice(let name, let condition, let value, let allowed):
      "\(name) of \(condition) is '\(value)'; choose \(allowed.joined(separator: ", "))"
    }
  }
}

/// The name and the parameters of a condition's text.
private struct ConditionWords {
  let name: String
  private var values: [String: String] = [:]
  /// The parameters that the condition has.
  private var asked: [String] = []

  init(_ text: String) throws(ConditionError) {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard let open = text.firstIndex(of: "(") else {
      name = text
      return
    }
    guard text.last == ")" else { throw .malformed(text) }
    name = text[..<open].trimmingCharacters(in: .whitespaces)
    let inside = text[text.index(after: open)...].dropLast()
    for part in inside.split(separator: ",") {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard sides.count == 2, !sides[0].isEmpty, values[sides[0]] == nil else {
        throw .malformed(text)
      }
      values[sides[0]] = sides[1]
    }
  }

  mutating func text(_ key: String) throws(ConditionError) -> String {
    asked.append(key)
    guard let value = values[key], !value.isEmpty else { throw .missing(key, of: name) }
    return value
  }

  mutating func number(
    _ key: String, in allowed: ClosedRange<Double>, default standard: Double? = nil
  ) throws(ConditionError) -> Double {
    if let standard, values[key] == nil {
      asked.append(key)
      return standard
    }
    let value = try text(key)
    guard let number = Double(value) else { throw .notANumber(key, of: name, value: value) }
    guard allowed.contains(number) else {
      throw .outOfRange(key, of: name, value: number, allowed: allowed)
    }
    return number
  }

  mutating func colour(
    _ key: String, default standard: NoiseColour
  ) throws(ConditionError) -> NoiseColour {
    asked.append(key)
    guard let value = values[key] else { return standard }
    guard let colour = NoiseColour(rawValue: value) else {
      throw .unknownChoice(
        key, of: name, value: value, allowed: NoiseColour.allCases.map(\.rawValue))
    }
    return colour
  }

  mutating func seed() throws(ConditionError) -> UInt64 {
    UInt64(try number("seed", in: 0...1e9, default: 1))
  }

  /// Refuses parameters that the condition does not have.
  func finish() throws(ConditionError) {
    let stray = values.keys.filter { !asked.contains($0) }.sorted().first
    if let stray { throw .unknownParameter(stray, of: name, allowed: asked) }
  }
}
