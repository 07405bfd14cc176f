import DSP
import Testing

@Suite struct SeededGeneratorTests {
  @Test(arguments: [0, 1, 1000])
  func skippingPassesOverNumbers(count: Int) {
    var (drawn, skipped) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    for _ in 0..<count { _ = drawn.next() }
    skipped.skip(count)
    #expect(drawn.next() == skipped.next())
  }
}
