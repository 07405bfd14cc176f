import Testing

@testable import Tuning

@Suite struct ParetoFrontTests {
  /// Point (2, 3) dominates (3, 4); equal points are both on the front.
  @Test func nondominatedPointsAreOnTheFront() {
    let points: [[Double]?] = [[1, 5], [2, 3], [3, 4], [4, 1], [2, 3], nil]
    #expect(
      ParetoFront.members(of: points, step: 0) == [true, true, false, true, true, false])
  }

  /// Both points are equal on the first axis in steps of 0.1, so the second axis decides.
  @Test func differencesBelowAStepDoNotCount() {
    let points: [[Double]?] = [[1.00, 5], [1.04, 4]]
    #expect(ParetoFront.members(of: points, step: 0) == [true, true])
    #expect(ParetoFront.members(of: points, step: 0.1) == [false, true])
  }

  @Test func noPointsAndNoAxes() {
    #expect(ParetoFront.members(of: [], step: 1).isEmpty)
    #expect(ParetoFront.members(of: [[], []], step: 0) == [true, true])
  }

  /// The second source is the definition, applied point by point.
  @Test func randomPointsAgreeWithTheDefinition() {
    var random = Toy(state: 7)
    let points = (0..<200).map { _ in (0..<3).map { _ in Double(random.next() % 8) } }
    let members = ParetoFront.members(of: points, step: 1)
    for (point, isMember) in zip(points, members) {
      let beaten = points.contains { other in
        other != point && zip(other, point).allSatisfy { $0 <= $1 }
      }
      #expect(isMember == !beaten)
    }
  }

  private struct Toy {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
