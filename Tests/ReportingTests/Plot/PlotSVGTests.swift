import Testing

@testable import Reporting

@Suite struct PlotSVGTests {
  private func svg(_ contents: String) -> PlotSVG? {
    PlotSVG(
      gnuplot:
        "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 10 20\"><g id=\"gnuplot_canvas\" fill=\"none\">"
        + contents, title: "t", description: "d")
  }

  /// Both quotes and spaces around `=`, as gnuplot writes them; its titles and paper go.
  @Test func gnuplotsSpellingIsRead() throws {
    let found = try #require(
      svg(
        """
        <title>gnuplot</title><rect x='0' fill='none'/>
          <!-- drawn --><polygon fill = 'rgb(  0, 114, 178)' points = '1,2 3,4 '/>
          <g id="gpA" stroke='black'><text x='1'>a &lt; b</text><use xlink:href='#gpB' id='c'/></g>
        <g color="white">
        </g></g></svg>
        """)
    ).text
    #expect(
      found.hasSuffix(
        """
        <g font-size="13"><polygon fill="#0072b2" points="1,2 3,4 "/>\
        <g id="gpA" stroke="currentColor"><text x="1">a &lt; b</text>\
        <use xlink:href="#gpB"/></g><g color="white"/></g>
        </svg>

        """))
    #expect(found.contains(#"viewBox="0 0 10 20" width="10" height="20""#))
  }

  /// A tenth of a pixel is enough, and what SVG assumes is not written.
  @Test func pathsAreShort() throws {
    let found = try #require(
      svg(
        """
        <g stroke-linecap="butt" stroke-linejoin="miter"><path d='M88.97,167.20 L91.14,-4.03
          L93,7.96  '/></g></g></svg>
        """)
    ).text
    #expect(found.contains(#"<g><path d="M89,167.2 L91.1,-4 L93,8"/></g>"#))
  }

  @Test func unclosedElementsAreRefused() { #expect(svg("<g><path>") == nil) }
}
