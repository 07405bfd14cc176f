import Sweep
import Tuning

/// The result of a run in a few lines: the verdict, the headline numbers, and their coverage.
public struct RunVerdict: Sendable {
  public var verdict: PageVerdict
  /// Headline numbers of the recommended setting.
  public let headlines: [Headline]
  /// The share of planned measurements that have a value, in words.
  public let coverage: String

  public init(verdict: PageVerdict, headlines: [Headline], coverage: String) {
    (self.verdict, self.headlines, self.coverage) = (verdict, headlines, coverage)
  }

  /// - Parameters:
  ///   - undefined: missing values of the run.
  ///   - baseline: the run to compare with.
  public init(
    of recommendation: Recommendation, undefined: [UndefinedCount], baseline: EarlierRun? = nil
  ) {
    let part = VerdictPart(
      recommendation: recommendation, undefined: undefined, baseline: baseline)
    self.init(
      verdict: part.verdict(), headlines: part.headlines(), coverage: part.coverage())
  }
}

extension ReportPage {
  public var summary: RunVerdict {
    RunVerdict(verdict: verdict, headlines: headlines, coverage: coverage)
  }
}
