import Testing

@testable import Reporting

@Suite struct NumberStyleTests {
  @Test(arguments: [
    (0.0, "0"), (6.4, "6.40"), (9.996, "10.0"), (0.004123, "0.00412"), (-8.914, "−8.91"),
    (123.4, "123"), (1234.4, "1230"), (12345.6, "12\u{2009}300"), (999.7, "1000"), (-0.0, "0"),
  ])
  func significantDigits(value: Double, text: String) {
    #expect(NumberStyle.significant(3).text(value) == text)
  }

  @Test(arguments: [
    (40.0, "40"), (2.5, "2.5"), (0.1 + 0.2, "0.3"), (48000, "48\u{2009}000"), (100, "100"),
  ])
  func settings(value: Double, text: String) {
    #expect(NumberStyle.setting.text(value) == text)
  }

  @Test(arguments: [(-0.04, "0.0"), (-0.06, "−0.1"), (1_234_567.89, "1\u{2009}234\u{2009}567.9")])
  func decimals(value: Double, text: String) {
    #expect(NumberStyle.decimals(1).text(value) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func notFiniteIsUndefined(value: Double) {
    #expect(NumberStyle.significant(3).text(value) == "–")
    #expect(Amount(value).value == nil && Amount(value).reason?.detail == "not measured")
  }

  @Test func boundsBelowZeroAreSpelledOut() throws {
    #expect(NumberStyle.decimals(0).text(try #require(Bounds(-3, 4, meaning: ""))) == "−3 to 4")
    #expect(NumberStyle.decimals(0).text(try #require(Bounds(3, 4, meaning: ""))) == "3–4")
    #expect(Bounds(4, 3, meaning: "") == nil && Bounds(.nan, 3, meaning: "") == nil)
  }
}
