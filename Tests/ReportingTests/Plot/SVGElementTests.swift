import Testing

@testable import Reporting

@Suite struct SVGElementTests {
  /// In the ways of gnuplot: both quotes, spaces around `=`, things said twice, things that draw
  /// nothing.
  private static let drawn = """
    <?xml version="1.0"?>
    <!-- made by hand -->
    <g id="gnuplot_canvas" fill="none" color="black" stroke="currentColor" stroke-width="1" \
    stroke-linecap="butt" stroke-linejoin="miter">
    <rect x="0" y="0" width="760" height="414" fill="none"/>
    <defs>
      <circle id='a-gpPt5' cx='0' cy='0' r='1'/>
      <use xlink:href='#a-gpPt5' id='a-gpPt6'/>
      <rect id='a-gpPt3' x='-1'/>
      <use xlink:href='#a-gpPt3' id='a-gpPt11'/>
      <path id='a-gpPt0' d='M-1,0 h2'/>
    </defs>
    <g fill="none" color="black" stroke="currentColor" stroke-width="1.00" stroke-linecap="butt">
      <path stroke='#8a929a' class="gridline" d='M51.99,198.90 L662.79,198.90 L662.79,100.04 M1.00,2.00  '/>
      <path stroke='currentColor' d='M51.99,198.90 M662.79,198.90  '/>
      <g transform="translate(42.89,203.13)" stroke="none" fill="#5c656e" text-anchor="end">
        <text>a &lt; b</text>
      </g>
      <g transform="translate(1.00,2.00)" stroke="none" fill="#5c656e" text-anchor="start">
        <text></text>
      </g>
    </g>
    <g id="gnuplot_plot_1" ><title>$data using 1:2</title>
    <g fill="none" color="black" stroke="currentColor" stroke-width="2.50">
      <use xlink:href='#a-gpPt6' transform='translate(10.04,20.00) scale(2.00)' color='#0072b2'/>
      <use xlink:href='#a-gpPt6' transform='translate(30.00,-0.55) scale(2.00)' color='#0072b2'/>
      <use xlink:href='#a-gpPt6' transform='translate(30.00,40.00) scale(2.00)' color='#d55e00'/>
      <use xlink:href='#a-gpPt11' transform='translate(5.00,6.00) scale(2.00)' color='#d55e00'/>
    </g>
    </g>
    <g><polygon fill = '#eff4f9' points = '48.66,210.87 221.33,210.87 221.33,175.14 '/></g>
    </g>
    """

  private func smaller() throws -> SVGElement {
    try #require(SVGElement(parsing: Self.drawn)).smaller()
  }

  @Test func whatIsReadIsWrittenAgain() throws {
    let text = #"<g id="a" d="M1,2"><text x="1">a &lt; b</text><use/></g>"#
    #expect(try #require(SVGElement(parsing: text)).text == text)
    #expect(SVGElement(parsing: "<g><path>") == nil)
  }

  @Test func whatDrawsNothingGoes() throws {
    let text = try smaller().text
    for gone in [
      "title", "<rect x=\"0\"", "gridline", "gnuplot_plot", "gpPt0", "stroke-width=\"1.00\"",
    ] {
      #expect(!text.contains(gone), "\(gone)")
    }
    #expect(text.matches(of: /<text/).count == 1)
  }

  /// By hand: tenths of a pixel, then steps between them.
  @Test func linesKeepTheirPlaces() throws {
    let text = try smaller().text
    #expect(text.contains("<path stroke=\"#8a929a\" d=\"M52 198.9l610.8 0l0-98.9\"/>"))
    #expect(
      text.contains("<polygon fill=\"#eff4f9\" points=\"48.7 210.9 221.3 210.9 221.3 175.1\"/>"))
    #expect(
      text.contains(
        "<text x=\"42.9\" y=\"203.1\" fill=\"#5c656e\" text-anchor=\"end\">a &lt; b</text>"))
  }

  /// The circle's own outline of 0.205 makes its radius 1.1025: 4.41 across at twice the size.
  @Test func dotsOfOneKindAreOnePath() throws {
    let text = try smaller().text
    #expect(text.contains("stroke=\"#0072b2\" stroke-width=\"4.41\""))
    #expect(text.contains("d=\"M10 20h0M30-.5h0\"") || text.contains("d=\"M10 20h0M30-.6h0\""))
    #expect(text.contains("d=\"M30 40h0\""))
  }

  /// A symbol that is used stays, with the one that it is made of.
  @Test func onlySymbolsInUseStay() throws {
    let text = try smaller().text
    #expect(text.contains("id=\"a-gpPt11\"") && text.contains("id=\"a-gpPt3\""))
    #expect(!text.contains("gpPt5") && !text.contains("gpPt6"))
  }

  /// Steps are taken between rounded places, so that errors don't add up: after a thousand steps of
  /// 0.14 the end is still within half a tenth.
  @Test func roundingDoesNotAddUp() {
    let places = (0...1000).map { "\(Double($0) * 0.14),0" }
    let path = SVGNumbers.path("M" + places.joined(separator: " L"))
    let steps = path.dropFirst().split(separator: "l").map { SVGNumbers.tenths(in: $0)[0] }
    #expect(abs(steps.reduce(0, +) - 1400) <= 1)
  }

  @Test(arguments: [(0, "0"), (5, ".5"), (-5, "-.5"), (120, "12"), (-1234, "-123.4")])
  func numbersAreShort(tenths: Int, text: String) {
    #expect(SVGNumbers.text(tenths) == text)
  }
}
