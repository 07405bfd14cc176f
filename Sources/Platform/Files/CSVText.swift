/// Writes comma-separated values.
public enum CSVText {
  /// Returns one record with its line end, by RFC 4180. A spreadsheet runs none of it as a formula.
  public static func record(_ fields: [String]) -> String {
    fields.map { field(inert($0)) }.joined(separator: ",") + "\r\n"
  }

  /// Returns a field, quoted if commas, quotes or line ends would break the record.
  ///
  /// A CSV reader returns the same text. Scalars are compared, not characters, because a reader parts
  /// fields at a comma even if a combining accent follows it.
  public static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: breaksRecord) else { return text }
    var quoted = String.UnicodeScalarView(["\""])
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// True for commas, quotes and all line ends of Unicode.
  private static func breaksRecord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", "\"", "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Puts an apostrophe before text that a spreadsheet would run; numbers stay numbers. Makes
  /// control characters visible.
  ///
  /// - Source: OWASP, CSV Injection.
  private static func inert(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
    guard isFormula, Double(text) == nil else { return text.printable }
    return "'" + text.printable
  }
}
