import Testing

@testable import CommandSupport
@testable import SoundCommands
@testable import choir_eval

/// The flags that a message about an unknown one names.
@Suite struct NearestFlagsTests {
  private static let names = ["map", "rate-hz", "block", "vibrato-cents", "vibrato-hz", "strict"]

  @Test(arguments: [
    ("rate", ["--rate-hz"]), ("stric", ["--strict"]), ("blcok", ["--block"]), ("blok", ["--block"]),
    ("vibrato", ["--vibrato-hz", "--vibrato-cents"]), ("sample-rate", ["--rate-hz"]), ("zzz", []),
  ])
  func aFlagIsFoundByItsBeginningASlipOrAWord(typed: String, found: [String]) {
    #expect(NearestFlags.nearest(to: typed, among: Self.names) == found)
  }

  @Test func theMessageNamesThemInsteadOfTheParsersGuess() {
    let message = """
      Error: Unknown option '--rate'. Did you mean '--map'?
      Usage: choir-eval harmonize [<options>] <input> <output>
      """
    #expect(
      NearestFlags.named(in: message) == """
        Error: Unknown option '--rate'. The nearest is --rate-hz.
        Usage: choir-eval harmonize [<options>] <input> <output>
        """)
    #expect(NearestFlags.named(in: "Error: Missing argument") == "Error: Missing argument")
  }
}
