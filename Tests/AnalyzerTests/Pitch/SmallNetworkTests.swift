import DSP
import Testing

@testable import Analyzer

@Suite struct SmallNetworkTests {
  /// The first of eight hidden values is 2 x - y + 1 or 0, the second x + y or 0; the result is 3 times
  /// the first less the second, and 0.5.
  @Test func layersAreSumsWithoutNegatives() {
    var weights = [Float](repeating: 0, count: 8 * 8 + 8 + 8 + 1)
    (weights[0], weights[1]) = (2, 1)  // of the first input
    (weights[8], weights[9]) = (-1, 1)  // of the second
    weights[64] = 1  // the constant of the first hidden value
    (weights[72], weights[73], weights[80]) = (3, -1, 0.5)
    let network = SmallNetwork([8, 8, 1], weights)
    func value(_ x: Float, _ y: Float) -> Float {
      network.value(of: RealtimeArray([x, y, 9, 9, 9, 9, 9, 9]))
    }
    #expect(value(1, 1) == 4.5)
    #expect(value(0, 3) == -3 + 0.5)
    #expect(value(-1, -1) == 0.5)
  }
}
