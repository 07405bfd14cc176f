extension String {
  /// The text without the characters that XML 1.0 forbids; templates escape the others.
  var asXML: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.filter { scalar in
          scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
            || "\t\n\r".unicodeScalars.contains(scalar)
        }))
  }

  /// The text escaped for a cell of a Markdown table.
  var asMarkdownCell: String {
    replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("\n", with: " ")
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
