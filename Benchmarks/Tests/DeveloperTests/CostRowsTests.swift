import Statistics
import Testing

@testable import Metrics
@testable import choir_dev

@Suite struct CostRowsTests {
  private func row(_ share: Double, _ found: Int, of trials: Int) -> CostPower.Row {
    CostPower.Row(
      share: share, regressions: Proportion(found, of: trials), verdicts: ["regression": found],
      ratio: 1.1 * share, ratioP5: 1, ratioP95: 1.2, minimumDetectableRatio: 1.06, seconds: 3)
  }

  @Test func namesAreUnique() {
    let ids = Defect.library.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Defect.library.filter(\.isOfCost).map(\.addedCost) == [0.05, 0.1, 0.25])
  }

  /// A defect of 10 % must be found in 95 of 100 trials; one of 5 % need not be found.
  @Test(arguments: [(95, true), (94, false)]) func tenPercentMustBeFound(found: Int, isGood: Bool) {
    let rows = [row(0, 0, of: 100), row(0.05, 1, of: 100), row(0.1, found, of: 100)]
      .rows(for: Defect.library)
    #expect(rows.map(\.id) == ["cpu-5", "cpu-10"])
    #expect(rows.map(\.isGood) == [true, isGood])
    #expect(rows[1].detected?.successes == found && rows[1].regressions == ["cost": found])
    #expect(rows[1].costRatio == 1.1 * 0.1)
  }

  /// One comparison in a hundred may alarm, no more.
  @Test(arguments: [(0, 50, true), (1, 100, true), (1, 99, false)])
  func theSubjectBesideItselfIsQuiet(alarms: Int, trials: Int, isGood: Bool) {
    #expect([row(0, alarms, of: trials)].nullTrials?.isGood == isGood)
    #expect([row(0.1, 5, of: 5)].nullTrials == nil)
  }
}
