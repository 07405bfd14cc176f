import DSP
import Testing

@testable import Reporting

@Suite struct SoundOutlineTests {
  private func outline(_ samples: [Float]) -> String {
    SoundOutline(of: Signal(samples, sampleRateHz: 48_000)).text
  }

  /// A quarter of the peak has half the height, 18 of 35, because of the square root.
  @Test func peaksAreDrawnByTheirRoot() {
    let columns = SoundOutline.columns
    let quarter = [Float](repeating: -0.1, count: columns * 5)
    var samples = quarter + [Float](repeating: 0, count: columns * 5)
    samples[columns * 5 - 1] = 0.4
    let text = outline(samples)
    #expect(text.count == columns)
    #expect(
      text == String(repeating: "i", count: columns / 2 - 1) + "z"
        + String(repeating: "0", count: columns / 2))
  }

  @Test func nothingIsAFlatLine() {
    #expect(outline([]) == "")
    #expect(outline([0, 0]) == "00")
    #expect(outline([0, -1, 0.25]) == "0zi")
  }
}
