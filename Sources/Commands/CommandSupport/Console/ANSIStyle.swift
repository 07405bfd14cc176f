import Foundation

/// Colour on a terminal, plain text elsewhere; never the only signal.
package struct ANSIStyle {
  package enum Colour: Int {
    case green = 32
    case red = 31
    case yellow = 33
    case blue = 34
    case faint = 2
  }

  private let isOn: Bool

  init(isOn: Bool) { self.isOn = isOn }

  /// - Parameter file: descriptor that the text is written to, such as `STDOUT_FILENO`.
  /// - Source: no-color.org: a NO_COLOR that is set and not empty switches colour off.
  package init(file: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
    isOn = isatty(file) == 1 && environment["TERM"] != "dumb" && environment["NO_COLOR"] ?? "" == ""
  }

  package func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
