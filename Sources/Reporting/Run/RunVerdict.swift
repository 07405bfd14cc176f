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
}

extension RunReport {
  /// Returns the verdict of the page without making the page.
  public func summary() throws -> RunVerdict {
    let part = VerdictPart(facts: facts)
    return RunVerdict(
      verdict: part.verdict(), headlines: try part.headlines(), coverage: part.coverage())
  }
}

extension ReportPage {
  public var summary: RunVerdict {
    RunVerdict(verdict: verdict, headlines: headlines, coverage: coverage)
  }
}
