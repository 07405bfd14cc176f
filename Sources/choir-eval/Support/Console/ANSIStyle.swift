import Foundation

/// Colour for a person at a terminal, plain words elsewhere; never the only signal.
struct ANSIStyle {
  enum Colour: Int {
    case green = 32
    case red = 31
    case yellow = 33
    case blue = 34
    case faint = 2
  }

  private let isOn: Bool

  init(isOn: Bool) { self.isOn = isOn }

  /// - Parameter file: where the text goes, `STDOUT_FILENO` for example.
  /// - Source: NO_COLOR is the convention of no-color.org: set and not empty, it rules.
  init(file: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
    isOn = isatty(file) == 1 && environment["TERM"] != "dumb" && environment["NO_COLOR"] ?? "" == ""
  }

  func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
