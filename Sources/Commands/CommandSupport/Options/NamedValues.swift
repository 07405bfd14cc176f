import ArgumentParser
import Corpus
import Foundation
import Harmonizer
import Platform
import Subjects

/// Words `NAME=VALUE` of an option that may be repeated.
package enum NamedValues {
  /// Returns the name and the value of a word.
  ///
  /// - Parameters:
  ///   - flag: the option that has it.
  ///   - form: how to write it.
  package static func halves(
    _ word: some StringProtocol, of flag: String, form: String = "NAME=VALUE"
  ) throws -> (name: String, value: String) {
    let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[0].isEmpty else {
      throw ValidationError("\(flag) is '\(word)'; write \(form).")
    }
    return (String(sides[0]), String(sides[1]))
  }

  /// Reads settings of a subject; the last value of a name counts.
  package static func settings(_ words: [String], of flag: String) throws -> SubjectSettings {
    var settings: SubjectSettings = [:]
    for word in words {
      let (name, value) = try halves(word, of: flag)
      settings[name] = Self.value(value)
    }
    return settings
  }

  /// Returns the words of a list with commas.
  package static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  package static func value(_ text: some StringProtocol) -> SettingValue {
    Double(text).map(SettingValue.number) ?? .text(String(text))
  }

  /// Reads amounts of named things, each name once; a word may have several with commas.
  ///
  /// - Parameter unit: unit of the amounts of a name.
  package static func amounts<Name: RawRepresentable & CaseIterable & Hashable>(
    _ words: [String], of flag: String, unit: (Name) -> String
  ) throws -> [Name: Double] where Name.RawValue == String {
    var amounts: [Name: Double] = [:]
    for word in words.flatMap({ $0.split(separator: ",") }) {
      let (text, value) = try halves(word, of: flag, form: "NAME=NUMBER, such as latency=20")
      guard let name = Name(rawValue: text.trimmingCharacters(in: .whitespaces)) else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(flag) has no '\(text)'; choose among \(names).")
      }
      guard let amount = Double(value), amount.isFinite, amount >= 0 else {
        let unit = unit(name)
        throw ValidationError(
          "\(flag) \(text) is '\(value)'; write a number from 0\(unit.isEmpty ? "" : " (\(unit))")."
        )
      }
      guard amounts.updateValue(amount, forKey: name) == nil else {
        throw ValidationError("\(flag) names \(text) twice; give one number.")
      }
    }
    return amounts
  }
}

/// The preset that a flag names.
package enum PresetChoice {
  /// Returns a built-in preset, or that of a JSON file, NAME.json.
  ///
  /// - Parameter flag: the flag that named it; `nil` for an argument.
  package static func preset(named name: String, by flag: String? = "--preset") throws -> Preset {
    let flag = flag.map { "\($0): " } ?? ""
    if name.hasSuffix(".json") {
      do { return try Preset(reading: URL(fileURLWithPath: name)) } catch {
        throw ValidationError("\(flag)\(name): \(error)")
      }
    }
    guard let preset = PresetBank.preset(named: name) else {
      throw ValidationError(
        "\(flag)there is no preset '\(name)'; choose "
          + PresetBank.all.map(\.name).joined(separator: ", ") + ", or a JSON file.")
    }
    return preset
  }
}
