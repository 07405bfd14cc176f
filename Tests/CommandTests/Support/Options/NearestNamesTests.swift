import ArgumentParser
import Platform
import Testing

@testable import CommandSupport
@testable import choir
@testable import choir_eval

/// The flags that a message about an unknown one names.
@Suite struct NearestNamesTests {
  private static let names = ["map", "rate-hz", "block", "vibrato-cents", "vibrato-hz", "strict"]

  @Test(arguments: [
    ("rate", ["rate-hz"]), ("stric", ["strict"]), ("blcok", ["block"]), ("blok", ["block"]),
    ("vibrato", ["vibrato-hz", "vibrato-cents"]), ("sample-rate", ["rate-hz"]), ("zzz", []),
  ])
  func aFlagIsFoundByItsBeginningASlipOrAWord(typed: String, found: [String]) {
    #expect(SimilarNames.nearest(to: typed, among: Self.names) == found)
  }

  @Test func theMessageNamesThemInsteadOfTheParsersGuess() {
    let message = """
      Error: Unknown option '--rate'. Did you mean '--map'?
      Usage: choir harmonize [<options>] <input> <output>
      """
    #expect(
      NearestNames.named(in: message, of: Choir.self) == """
        Error: Unknown option '--rate'; the nearest is --rate-hz.
        Usage: choir harmonize [<options>] <input> <output>
        """)
    #expect(
      NearestNames.named(in: "Error: Missing argument", of: Choir.self) == "Error: Missing argument"
    )
  }

  /// The parser checks a command's own rules first.
  @Test func anUnknownFlagIsNamedBeforeWhatIsMissing() {
    let message = """
      Error: No notes are chosen; give one of --intervals, --degrees.
      Usage: choir harmonize [<options>] <input> <output>
      """
    let named = NearestNames.named(
      in: message, of: Choir.self, arguments: ["harmonize", "a.wav", "b.wav", "--interval=4"])
    #expect(
      named == """
        Error: Unknown option '--interval'; the nearest is --intervals.
        Usage: choir harmonize [<options>] <input> <output>
        """)
    for known in [["--vibrato-hz", "5", "--block", "64"], ["--", "--interval"], ["--help"]] {
      #expect(NearestNames.named(in: message, of: Choir.self, arguments: known) == message)
    }
  }

  @Test(arguments: [
    ("Unexpected argument 'analize'", "choir-eval <subcommand>", "analize", "analyze"),
    ("2 unexpected arguments: 'repotr', 'x'", "choir-eval <subcommand>", "repotr", "report"),
    ("Unexpected argument 'lis'", "choir-eval corpus <subcommand>", "lis", "list"),
  ])
  func anUnknownCommandIsNamed(problem: String, usage: String, typed: String, near: String) {
    let usage = "Usage: \(usage)"
    #expect(
      NearestNames.named(
        in: "Error: \(problem)\n\(usage)", of: ChoirEval.self, arguments: [typed])
        == "Error: There is no command '\(typed)'; the nearest is \(near).\n\(usage)")
  }

  @Test func anErrorAtWorkShowsTheUsageOfItsCommand() throws {
    let path = try #require(CommandPath(to: Presets.Show.self, of: Choir.self))
    let text = path.message(for: ValidationError("There is no preset 'x'."))
    #expect(text.hasPrefix("Error: There is no preset 'x'.\nUsage: choir presets show <name>"))
    #expect(text.contains("See 'choir presets show --help'"))
  }
}
