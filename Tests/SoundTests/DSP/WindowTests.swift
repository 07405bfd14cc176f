import DSP
import Testing

@Suite struct WindowTests {
  @Test func valuesAreThePublishedOnes() {
    // Harris 1978, table 1: a Hann window is 1 in the middle, 1/2 at the quarter, 0 at the end.
    #expect(Window.hann.samples(5) == [0, 0.5, 1, 0.5, 0].map { $0 })
    // I0(5) = 27.239871823604442 (Abramowitz and Stegun, 9.8), so the end of a Kaiser window is 1 /
    // that.
    #expect(abs(Window.kaiser(beta: 5).value(at: 1) - 1 / 27.239871823604442) < 1e-12)
    #expect(Window.hann.value(at: 1.01) == 0)
  }
}
