import Testing

@testable import Platform

@Suite struct EditDistanceTests {
  /// Levenshtein's textbook examples.
  @Test(arguments: [("kitten", "sitting", 3), ("flaw", "lawn", 2), ("", "abc", 3), ("a", "a", 0)])
  func textbookExamplesAgree(first: String, second: String, distance: Int) {
    #expect(EditDistance.between(first, second) == distance)
    #expect(EditDistance.between(second, first) == distance)
  }
}
