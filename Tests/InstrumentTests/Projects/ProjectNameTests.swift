import Instrument
import Testing

@Suite struct ProjectNameTests {
  @Test(arguments: ["song", "Verse 2", "🎤 take", "Ünïcödé", "👩‍🚀", "a.b", "x_1-2"])
  func namesAreAsPeopleTypeThem(name: String) throws {
    #expect(try ProjectName(name).description == name)
  }

  @Test(
    arguments: [
      "", ".", "..", ".hidden", "a/b", "/", "../up", "a\\b", "C:", "-flag", " a", "a ", "a\nb",
      "a\u{0}b", "a\u{202E}b", String(repeating: "é", count: 91),
    ])
  func namesThatCantBeFoldersAreRefused(name: String) {
    let error = #expect(throws: ProjectError.self) { try ProjectName(name) }
    #expect(error?.description.contains("; ") == true, "the message has no remedy")
  }

  /// An e with a combining accent is the composed letter.
  @Test func namesAreComposed() throws {
    #expect(
      Array(try ProjectName("e\u{301}").description.unicodeScalars) == ["\u{E9}"])
  }
}
