import Foundation
import Harmonizer

extension Engine {
  /// The engine that `settings` choose by `engine`, `delayline` if they don't, with whatever else
  /// of it they name.
  ///
  /// - Returns: also the settings that are not of the engine.
  /// - Throws: words for a person.
  public static func chosen(
    by settings: SubjectSettings
  ) throws(EngineProblem) -> (engine: Engine, others: SubjectSettings) {
    var others = settings
    var name = Name.delayline
    if let wanted = others.removeValue(forKey: "engine") {
      guard let known = Name(rawValue: "\(wanted)") else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw EngineProblem(description: "there is no engine '\(wanted)'; there is \(names)")
      }
      name = known
    }
    var engine = Engine(name)
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) where key != "engine" {
      guard let changed = try engine.setting(key, to: value) else { continue }
      engine = changed
      others.removeValue(forKey: key)
    }
    return (engine, others)
  }

  /// The names of what can be chosen of this engine.
  public var settingNames: [String] { fields.keys.filter { $0 != "engine" }.sorted() }

  /// The same engine with one setting changed; nil where it has none of that name.
  private func setting(_ name: String, to value: SettingValue) throws(EngineProblem) -> Engine? {
    var fields = fields
    guard fields[name] != nil else { return nil }
    for spelling in value.spellings {
      fields[name] = spelling
      if let data = try? JSONSerialization.data(withJSONObject: fields),
        let engine = try? JSONDecoder().decode(Engine.self, from: data)
      {
        return engine
      }
    }
    let first = self.fields[name]!
    throw EngineProblem(
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
public struct EngineProblem: Error, CustomStringConvertible {
  public let description: String
}
