/// Writes comma-separated values.
public enum CSVText {
  /// Returns one record with its line end, by RFC 4180. A spreadsheet runs none of it as a formula.
  public static func record(_ fields: [String]) -> String {
    fields.map { field(inert($0)) }.joined(separator: ",") + "\r\n"
  }

  /// Returns a field, quoted if commas, quotes or line ends would break the record.
  ///
  /// A CSV reader returns the same text.
  public static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
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
