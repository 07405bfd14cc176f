import Testing

@testable import Reporting

@Suite struct HuntPageTests {
  /// The commands of the page and of the text can be pasted into a shell.
  @Test func replaysAreQuotedAndNameTheCorpus() {
    #expect(
      HuntPage.replay("my hunt/recipe-1.yaml", ["--corpus", "my corpus"])
        == "choir-eval hunt --replay 'my hunt/recipe-1.yaml' --corpus 'my corpus'")
    #expect(
      HuntPage.replay("Reports/hunt-psola/recipe-2.yaml", [])
        == "choir-eval hunt --replay Reports/hunt-psola/recipe-2.yaml")
  }
}
