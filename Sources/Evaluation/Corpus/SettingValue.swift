/// A value of a setting in a plan, a flag or a store.
public enum SettingValue: Codable, Hashable, Sendable, CustomStringConvertible {
  case number(Double)
  case text(String)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    }
  }

  /// The number; `nil` for a text.
  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  public var description: String {
    switch self {
    case .number(let value):
      value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    case .text(let value): value
    }
  }
}

/// The settings of a subject by name.
public typealias SubjectSettings = [String: SettingValue]

extension SubjectSettings {
  /// The only spelling of these settings: the names in order, joined. A text that reads as several
  /// settings is in quotes.
  public var canonical: String {
    sorted { $0.key < $1.key }.map { name, value in
      let text = value.description
      let isSeveral = text.contains(" ") && text.contains(#/ [\w.-]+=/#)
      return "\(name)=\(isSeveral ? text.debugDescription : text)"
    }.joined(separator: " ")
  }
}
