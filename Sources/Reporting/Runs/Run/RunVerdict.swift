import Sweep
import Tuning

/// The result of a run in a few lines: the verdict, the headline numbers, and their coverage.
package struct RunVerdict: Sendable {
  package var verdict: PageVerdict
  /// Headline numbers of the recommended setting.
  package let headlines: [Headline]
  /// The share of planned measurements that have a value, in words.
  package let coverage: String

  package init(verdict: PageVerdict, headlines: [Headline], coverage: String) {
    (self.verdict, self.headlines, self.coverage) = (verdict, headlines, coverage)
  }

  /// - Parameters:
  ///   - undefined: missing values of the run.
  ///   - baseline: the run to compare with.
  package init(
    of recommendation: Recommendation, undefined: [UndefinedCount], baseline: EarlierRun? = nil
  ) {
    let part = VerdictPart(recommendation: recommendation, undefined: undefined, baseline: baseline)
    self.init(verdict: part.verdict(), headlines: part.headlines(), coverage: part.coverage())
  }
}

extension ReportPage {
  package var summary: RunVerdict {
    RunVerdict(verdict: verdict, headlines: headlines, coverage: coverage)
  }
}
