import Testing

@testable import Platform

@Suite struct TextSafetyTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", #"\u001B[31mred\u001B[0m"#), ("a\rb\u{8}", #"a\u000Db\u0008"#),
    ("\u{9B}2J", #"\u009B2J"#), ("\u{7F}\0", #"\u007F\u0000"#),
    ("txt.\u{202E}gpj", #"txt.\u202Egpj"#),
    // Ordinary text is unchanged.
    ("line\n\ttab é 音 🎵", "line\n\ttab é 音 🎵"),
  ])
  func whatSteersATerminalIsShown(text: String, shown: String) {
    #expect(text.printable == shown)
  }

  /// The first characters are those of OWASP's list.
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
    ("-2+3", "'-2+3"), ("\t=1", "'\t=1"), ("\r=1", #"'\u000D=1"#), ("--fine", "'--fine"),
    ("=a,b", "\"'=a,b\""), ("=\"x\"", "\"'=\"\"x\"\"\""),
    // Numbers stay numbers, words stay words.
    ("-5", "-5"), ("+4.5", "+4.5"), ("-1e-3", "-1e-3"), ("a=b", "a=b"), ("−3", "−3"), ("", ""),
    ("\u{1B}]0;x", #"\u001B]0;x"#),
  ])
  func noCellOfATableIsAFormula(text: String, field: String) {
    #expect(CSVText.record([text]) == field + "\r\n")
  }

  /// A reader parts fields at commas and quotes by their code, so an accent on one changes nothing.
  @Test(arguments: [
    ("a,b", "\"a,b\""), ("a,\u{301}b", "\"a,\u{301}b\""), ("\"\u{301}", "\"\"\"\u{301}\""),
    ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("a\u{2028}b", "\"a\u{2028}b\""),
    ("a b", "a b"),
  ])
  func whatPartsFieldsIsQuoted(text: String, field: String) {
    #expect(CSVText.field(text) == field)
  }

  @Test func whatIsReadBackIsWrittenAsItIs() {
    #expect(CSVText.field("=1+1") == "=1+1")
    #expect(CSVText.field("-") == "-")
  }
}
