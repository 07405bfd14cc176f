import Testing

@testable import choir

@Suite struct ProjectTimingTests {
  @Test func everyActionIsTimedAtEverySize() throws {
    let rows = try ProjectTimingRun(takeCounts: [1, 2]).rows()
    let actions = ProjectTimingRun.Action.allCases
    #expect(rows.map(\.action) == actions + actions)
    #expect(rows.map(\.takes) == actions.map { _ in 1 } + actions.map { _ in 2 })
    #expect(rows.allSatisfy { $0.elapsedMs > 0 })
  }
}
