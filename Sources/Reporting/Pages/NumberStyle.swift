import Foundation

/// Format of numbers for readers; CSV and JSON keep every digit.
package enum NumberStyle: Equatable, Sendable {
  /// Significant digits of a measurement: `0.0123`, `1.20`, `12 300`.
  case significant(Int)
  /// A fixed number of decimals, so that columns align.
  case decimals(Int)
  /// A chosen setting: `40`, `2.5`; up to six digits, without trailing zeros.
  case setting

  /// Sign for an amount without a value.
  static let undefined = "\u{2013}"

  /// Formats a number with a true minus sign, and thin spaces between thousands from five digits on.
  package func text(_ value: Double) -> String {
    guard value.isFinite else { return Self.undefined }
    let magnitude = abs(value)
    let digits =
      switch self {
      case .significant(let count):
        Self.fixed(magnitude, decimals: Self.decimals(of: magnitude, digits: count))
      case .decimals(let count): Self.fixed(magnitude, decimals: count)
      case .setting:
        Self.trimmed(Self.fixed(magnitude, decimals: Self.decimals(of: magnitude, digits: 6)))
      }
    let isZero = digits.allSatisfy { $0 == "0" || $0 == "." }
    return (value < 0 && !isZero ? "\u{2212}" : "") + Self.grouped(digits)
  }

  func text(_ amount: Amount) -> String { amount.value.map(text) ?? Self.undefined }

  package func text(_ interval: Bounds) -> String {
    // A dash beside a negative number would read as another minus.
    text(interval.low) + (interval.low < 0 ? " to " : "\u{2013}") + text(interval.high)
  }

  /// Formats with fixed decimals; negative `decimals` round to tens, hundreds and so on.
  private static func fixed(_ magnitude: Double, decimals: Int) -> String {
    guard decimals < 0 else { return String(format: "%.\(decimals)f", magnitude) }
    let scale = pow(10, Double(-decimals))
    return String(format: "%.0f", (magnitude / scale).rounded() * scale)
  }

  /// Number of decimals that shows `digits` significant digits; 9.996 becomes 10.0, not 10.00.
  private static func decimals(of magnitude: Double, digits: Int) -> Int {
    guard magnitude > 0 else { return 0 }
    let exponent = Int(floor(log10(magnitude)))
    let scale = pow(10, Double(digits - 1 - exponent))
    let carries = (magnitude * scale).rounded() >= pow(10, Double(digits))
    return digits - 1 - exponent - (carries ? 1 : 0)
  }

  private static func trimmed(_ digits: String) -> String {
    guard digits.contains(".") else { return digits }
    let kept = digits.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(kept.reversed())
  }

  private static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1)
    guard parts[0].count > 4 else { return digits }
    var whole = ""
    for (index, digit) in parts[0].enumerated() {
      if index > 0, (parts[0].count - index).isMultiple(of: 3) { whole += "\u{2009}" }
      whole.append(digit)
    }
    return ([whole] + parts.dropFirst().map(String.init)).joined(separator: ".")
  }
}
