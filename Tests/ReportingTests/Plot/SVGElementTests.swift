import Testing

@testable import Reporting

@Suite struct SVGElementTests {
  @Test func readAndWrittenAreTheSame() throws {
    let text = #"<g id="a" d="M1,2"><text x="1">a &lt; b</text><use/></g>"#
    #expect(try #require(SVGElement(parsing: text)).text == text)
  }

  @Test func unclosedElementsAreRefused() {
    #expect(SVGElement(parsing: "<g><path>") == nil)
  }

  /// Both quotes and spaces around `=`, as gnuplot writes them.
  @Test func gnuplotsSpellingIsRead() throws {
    let text =
      "<?xml version=\"1.0\"?>\n<!-- drawn -->\n<polygon fill = '#eff4f9' points = '1,2 3,4 '/>"
    let element = try #require(SVGElement(parsing: text))
    #expect(element.name == "polygon" && element["fill"] == "#eff4f9")
    #expect(element["points"] == "1,2 3,4 ")
  }
}
