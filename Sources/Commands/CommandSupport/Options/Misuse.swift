import ArgumentParser
import DSP
import Foundation

/// Conversion of setting errors to misuse of the command line.
package enum Misuse {
  /// Returns the error with the setting named by its flag, or by the `--set` that gave it.
  package static func of(
    _ error: any Error, arguments: [String] = CommandLine.arguments
  ) -> ValidationError {
    switch error {
    case let error as ValidationError: return error
    case SettingsError.outOfRange(let setting, let value, let allowed):
      return ValidationError(
        "\(typed(setting, in: arguments)) is \(value.typed); choose \(allowed.lowerBound.typed) to "
          + "\(allowed.upperBound.typed).")
    case SettingsError.ruledOut(let setting, let value, let other, let instead):
      return ValidationError(
        "\(typed(setting, in: arguments)) is \(value.typed), which \(other) does not support; "
          + "\(instead).")
    default: return ValidationError("\(error).")
    }
  }

  /// Returns the setting as typed: the flag of `windowMs` is `--window-ms`.
  static func typed(_ setting: String, in arguments: [String]) -> String {
    let flag =
      "--"
      + setting.reduce(into: "") { name, letter in
        name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
      }
    if arguments.contains(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) { return flag }
    let isSet = arguments.contains {
      $0.hasPrefix("\(setting)=") || $0.hasPrefix("--set=\(setting)=")
    }
    return isSet ? "--set \(setting)" : setting
  }
}
