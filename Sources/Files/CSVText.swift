/// Text of comma-separated values.
public enum CSVText {
  /// One record with its end, by RFC 4180, for spreadsheets too: text can't become a formula.
  public static func record(_ fields: [String]) -> String {
    fields.map { field(inert($0)) }.joined(separator: ",") + "\r\n"
  }

  /// Quoted where commas, quotes or line ends would break the record; read back as it was.
  public static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// Text that a spreadsheet would run begins with an apostrophe; numbers stay numbers. Control
  /// characters are made visible.
  ///
  /// - Source: OWASP, CSV Injection.
  private static func inert(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
    guard isFormula, Double(text) == nil else { return text.printable }
    return "'" + text.printable
  }
}
