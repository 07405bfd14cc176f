import Analyzer
import Testing

@Suite struct DelayTrajectoryTests {
  @Test func aDriftIsLinearBetweenItsKnots() {
    let drift = DelayTrajectory(knots: [.init(seconds: 1, ms: 20), .init(seconds: 3, ms: 30)])
    #expect([0, 1, 2, 3, 9].map { drift.ms(atSeconds: $0) } == [20, 20, 25, 30, 30])
    #expect(drift.changeMs == 10 && drift.meanMs == 25)
    #expect([12, 24, 33].map { drift.distance(toMs: $0) } == [8, 0, 3])
    #expect(drift.later(byMs: 5).ms(atSeconds: 2) == 30)
  }

  @Test func aJumpHasNothingBetween() {
    let jump = DelayTrajectory(fromMs: 40, toMs: 10, atSeconds: 2)
    #expect([0, 1.999, 2, 5].map { jump.ms(atSeconds: $0) } == [40, 40, 10, 10])
    #expect(jump.changeMs == 30)
    #expect("\(jump)" == "the delay is not constant: 40.0 ms at first, 10.0 ms at last")
  }
}
