import EvaluationSupport
import Testing

@testable import Corpus
@testable import Platform
@testable import Subjects
@testable import Sweep

@Suite struct AxisValuesTests {
  private func values(_ text: String) throws -> [Double] {
    let plan = try Plan.decoded(smallPlan.replacing("[10, 20]", with: text))
    return plan.settings.axes[1].values.compactMap(\.number)
  }

  @Test func rangesAreSpacedEvenlyOrByRatio() throws {
    #expect(try values("{from: 10, to: 20, steps: 3}") == [10, 15, 20])
    // By hand, each value is twice the one before.
    #expect(try values("{from: 5, to: 80, steps: 5, scale: log}") == [5, 10, 20, 40, 80])
    // Thirds of a decade to six digits: 10^(1/3) = 2.15443469, 10^(2/3) = 4.64158883.
    #expect(try values("{from: 1, to: 10, steps: 4, scale: log}") == [1, 2.15443, 4.64159, 10])
  }

  @Test(arguments: [
    ("{from: 5, to: 80}", "needs a number 'steps'"),
    ("{from: 5, to: 80, steps: 1}", "from 2 to 10000"),
    ("{from: 5, to: 80, steps: 2.5}", "from 2 to 10000"),
    ("{from: 80, to: 5, steps: 3}", "choose a smaller 'from'"),
    ("{from: 0, to: 5, steps: 3, scale: log}", "choose more than 0"),
    ("{from: 1, to: 5, steps: 3, scale: mel}", "choose linear, log"),
    ("{from: 1, to: 5, steps: 3, by: 2}", "a range has no 'by'"),
    ("12", "is no list of values; write [10, 20], or a range"),
  ])
  func mistakesAreNamedWithTheirLine(text: String, words: String) {
    let said = expectError(words) { try values(text) }
    #expect(said.hasPrefix("line 10: settings.windowMs"), "\(said)")
  }
}
