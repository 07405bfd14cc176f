import Testing

@testable import CommandSupport
@testable import Reporting
@testable import choir_eval

@Suite struct VerdictTextTests {
  private let summary = RunVerdict(
    verdict: PageVerdict(.regression, "Worse by 20 cents."),
    headlines: [
      Headline(
        "pitch error", 23.5, unit: "cents", interval: Bounds(20, 30, meaning: "95 %"), count: 8,
        style: .decimals(1), change: "+20 cents"),
      Headline("words, ESTOI", .undefined("no oracle"), unit: "", count: 0),
    ], coverage: "All 8 cells ran.")

  @Test func theVerdictIsFirstAndColumnsAlign() {
    let lines = VerdictText.text(summary, ANSIStyle(isOn: false)).split(separator: "\n")
    #expect(lines[0] == "✗ Regression: Worse by 20 cents.")
    #expect(lines.last == "All 8 cells ran.")
    let numbers = lines.filter { $0.hasPrefix("pitch error") || $0.hasPrefix("words") }
    #expect(numbers.count == 2)
    #expect(numbers[0].contains("23.5  cents") && numbers[0].contains("20.0–30.0"))
    #expect(numbers[1].contains("missing: no oracle"))
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test func namesOfSubjectsSteerNoTerminal() {
    var hostile = summary
    hostile.verdict.sentence = "Of 2 settings, \u{1B}[2Jred is best."
    #expect(VerdictText.text(hostile, ANSIStyle(isOn: true)).contains(#"\u001B[2Jred is best."#))
  }

  /// Colour adds nothing to the words.
  @Test func colourIsOnlyAdded() {
    let coloured = VerdictText.text(summary, ANSIStyle(isOn: true))
    #expect(coloured.hasPrefix("\u{1B}[31m✗ Regression\u{1B}[0m: "))
    #expect(
      coloured.replacing(/\u{1B}\[\d+m/, with: "")
        == VerdictText.text(summary, ANSIStyle(isOn: false)))
  }

  /// Tests run without a terminal, and a file is none.
  @Test func whereNobodyLooksThereIsNoColour() {
    #expect(ANSIStyle(file: -1)("words", .red) == "words")
  }
}
