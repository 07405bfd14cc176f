extension RunReport {
  /// The page of a run that goes on: the verdict so far, the front and the sweep, without sound. It
  /// loads itself again when there is more.
  ///
  /// - Cost: that of the recommendation and a few drawings; nothing is rendered.
  package func preliminaryPage() throws -> ReportPage {
    let result = RunVerdict(of: facts.recommendation, undefined: facts.undefined)
    var page = ReportPage(
      title: facts.run.plan.title, subtitle: subtitle, verdict: result.verdict,
      headlines: result.headlines,
      sections: try [
        TradeSection(facts: facts, isSilent: true).section(),
        SweepSection(facts: facts, heard: []).section(), GapsSection(facts: facts).section(),
      ].compactMap { $0?.withoutEmptyDrawings },
      reading: ProvenancePart.reading, provenance: ProvenancePart(facts: facts).remarks(),
      command: facts.command)
    page.coverage = result.coverage
    page.progress = ReportPage.Progress(
      cells: facts.run.cells.count, planned: facts.run.plannedCells)
    return page
  }
}
