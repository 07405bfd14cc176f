import Corpus
import Foundation

/// Settings encoded as one flat object, whose fields plans and flags set by name.
package protocol SetByName: Codable {}

extension SetByName {
  /// The names of the fields except `engine`.
  public var settingNames: [String] { fields.keys.filter { $0 != "engine" }.sorted() }

  /// Sets the fields that `settings` name.
  ///
  /// - Returns: the settings that are not its own.
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

  /// Returns a copy with one field changed; `nil` if there is no field of that name.
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
        ? "\(name) is '\(value)'; write a number"
        : "\(name) can't be '\(value)'; write a value such as the default, \(first)")
  }

  /// The encoded fields by name.
  private var fields: [String: Any] {
    guard let data = try? JSONEncoder().encode(self),
      let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { preconditionFailure("settings are coded as objects") }
    return fields
  }
}

extension SettingValue {
  /// The possible JSON values: a number; a switch, written as 1, true or on; a word.
  fileprivate var spellings: [Any] {
    switch self {
    case .number(let number): [number, number != 0]
    case .text("true"), .text("on"): [true]
    case .text("false"), .text("off"): [false]
    case .text(let text): [text]
    }
  }
}

/// An invalid setting.
public struct SettingError: Error, CustomStringConvertible {
  public let description: String
}
