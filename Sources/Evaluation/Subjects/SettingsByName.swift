import Corpus
import DSP

/// An invalid setting.
public struct SettingError: Error, CustomStringConvertible {
  public let description: String

  public init(description: String) { self.description = description }

  fileprivate init(_ value: SettingValue, of parameter: ParameterInfo) {
    let choices =
      switch parameter.allowed {
      case .numbers where value.number == nil: "write a number"
      case .numbers(let range):
        "choose a whole number from \(SettingValue.number(range.lowerBound)) up"
      case .flags, .words: "choose \(parameter.allowedText)"
      }
    self.init(description: "\(parameter.name) is '\(value)'; \(choices)")
  }
}

extension SubjectSettings {
  /// Sets the parameters that these settings name.
  ///
  /// - Parameter set: sets one; returns false if it can't have the value.
  /// - Returns: the settings that are none of the parameters.
  public func applied(
    to parameters: [ParameterInfo], _ set: (String, ParameterValue) -> Bool
  ) throws(SettingError) -> SubjectSettings {
    var others = self
    for parameter in parameters {
      guard let value = others.removeValue(forKey: parameter.name) else { continue }
      guard set(parameter.name, value.parameterValue) else {
        throw SettingError(value, of: parameter)
      }
    }
    return others
  }
}

extension SettingValue {
  /// The value of a parameter: a number; a switch, written as true or on; a word.
  fileprivate var parameterValue: ParameterValue {
    switch self {
    case .number(let number): .number(number)
    case .text("true"), .text("on"): .flag(true)
    case .text("false"), .text("off"): .flag(false)
    case .text(let text): .word(text)
    }
  }
}

extension Sequence<ParameterInfo> {
  /// The parameters' names, in order of the alphabet.
  public var sortedNames: [String] { map(\.name).sorted() }
}
