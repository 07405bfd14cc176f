import Foundation
import Testing

@testable import Singer

@Suite struct NoiseTests {
  static let count = 100_000

  @Test func valuesHaveMeanZeroAndVarianceOne() {
    let noise = Noise(seed: 3, stream: 1)
    for values in [
      (0..<Self.count).map { noise.pair(at: $0).0 }, (0..<Self.count).map { noise.pair(at: $0).1 },
      (0..<Self.count).map { noise.normal(at: $0) },
    ] {
      let mean = values.reduce(0, +) / Double(Self.count)
      let variance = values.reduce(0) { $0 + $1 * $1 } / Double(Self.count)
      // Five standard errors: 1/√n for the mean, at most √(2/n) for the variance.
      #expect(abs(mean) < 5 / Double(Self.count).squareRoot())
      #expect(abs(variance - 1) < 5 * (2 / Double(Self.count)).squareRoot())
    }
  }

  @Test func neighboursStreamsAndSeedsAreUnrelated() {
    let noise = Noise(seed: 3, stream: 1)
    func correlation(_ other: (Int) -> Double) -> Double {
      (0..<Self.count).reduce(0) { $0 + noise.pair(at: $1).0 * other($1) } / Double(Self.count)
    }
    let limit = 5 / Double(Self.count).squareRoot()  // five standard errors
    #expect(abs(correlation { noise.pair(at: $0 + 1).0 }) < limit)
    #expect(abs(correlation { noise.pair(at: $0).1 }) < limit)
    #expect(abs(correlation { Noise(seed: 3, stream: 2).pair(at: $0).0 }) < limit)
    #expect(abs(correlation { Noise(seed: 4, stream: 1).pair(at: $0).0 }) < limit)
  }
}
