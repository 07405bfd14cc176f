import DSP
import Testing

@testable import Analyzer

@Suite struct InterleavedLevelsTests {
  @Test(arguments: [-150, -2, -1, 0, 1, 2, 3, 77, 150])
  func sumsAreThoseOfEveryThirdStep(lag: Int) throws {
    var random = SeededGenerator(seed: 3)
    let count = HarmonicEnvelope.stepCount
    let (input, output) = (
      (0..<count).map { _ in 30 * random.uniform() - 70 },
      (0..<count).map { _ in 30 * random.uniform() - 70 }
    )
    var sums = LevelSums()
    for i in stride(from: max(0, -lag), to: count - max(0, lag), by: 3) {
      sums.take(input[i], output[i + lag], step: Double(i), weight: 1)
    }
    let found = InterleavedLevels(input).sums(with: InterleavedLevels(output), lag: lag)
    let (a, b) = try (#require(found.withoutSlope), #require(sums.withoutSlope))
    #expect(found.w == sums.w)
    #expect(abs(a.product - b.product) < 1e-6)
    #expect(abs(a.squareA - b.squareA) < 1e-6)
    #expect(abs(a.squareB - b.squareB) < 1e-6)
  }
}
