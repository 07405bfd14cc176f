import Platform
import Testing

@Suite struct SimilarNamesTests {
  private static let names = ["map", "rate-hz", "block", "vibrato-cents", "vibrato-hz", "strict"]

  @Test(arguments: [
    ("rate", ["rate-hz"]), ("stric", ["strict"]), ("blcok", ["block"]), ("blok", ["block"]),
    ("vibrato", ["vibrato-hz", "vibrato-cents"]), ("sample-rate", ["rate-hz"]), ("zzz", []),
  ])
  func aNameIsFoundByItsBeginningASlipOrAWord(typed: String, found: [String]) {
    #expect(SimilarNames.nearest(to: typed, among: Self.names) == found)
  }
}
