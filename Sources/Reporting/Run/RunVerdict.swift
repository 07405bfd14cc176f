/// What a run comes to in a few lines: the verdict, the numbers that matter, and what they rest on.
public struct RunVerdict: Sendable {
  public var verdict: PageVerdict
  /// Of the setting to ship.
  public let headlines: [Headline]
  /// How much of what was planned has a number.
  public let coverage: String

  public init(verdict: PageVerdict, headlines: [Headline], coverage: String) {
    (self.verdict, self.headlines, self.coverage) = (verdict, headlines, coverage)
  }
}

extension RunReport {
  /// As the page says it, without the work of the page.
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
