import Corpus
import Foundation

/// Settings that are coded as one flat object, whose fields plans and flags choose by name.
package protocol SetByName: Codable {}

extension SetByName {
  /// The names of what can be chosen.
  public var settingNames: [String] { fields.keys.filter { $0 != "engine" }.sorted() }

  /// Takes whatever of `settings` is its own.
  ///
  /// - Returns: the others.
  mutating func take(
    from settings: SubjectSettings
  ) throws(SettingError) -> SubjectSettings {
    var others = settings
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let changed = try setting(name, to: value) else { continue }
      self = changed
      others.removeValue(forKey: name)
    }
    return others
  }

  /// The same with one field changed; nil where it has none of that name.
  private func setting(_ name: String, to value: SettingValue) throws(SettingError) -> Self? {
    var fields = fields
    guard let first = fields[name] else { return nil }
    for spelling in value.spellings {
      fields[name] = spelling
      if let data = try? JSONSerialization.data(withJSONObject: fields),
        let changed = try? JSONDecoder().decode(Self.self, from: data)
      {
        return changed
      }
    }
    throw SettingError(
      description: first is Double && value.number == nil
        ? "\(name) is '\(value)', not a number"
        : "\(name) cannot be '\(value)'; unless given it is \(first)")
  }

  /// As coded: flat, by name.
  private var fields: [String: Any] {
    guard let data = try? JSONEncoder().encode(self),
      let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { preconditionFailure("settings are coded as objects") }
    return fields
  }
}

extension SettingValue {
  /// What it may mean in JSON: a number; a switch, written as 1, true or on; a word.
  fileprivate var spellings: [Any] {
    switch self {
    case .number(let number): [number, number != 0]
    case .text("true"), .text("on"): [true]
    case .text("false"), .text("off"): [false]
    case .text(let text): [text]
    }
  }
}

/// What is wrong with a choice that was made by name.
public struct SettingError: Error, CustomStringConvertible {
  public let description: String
}
