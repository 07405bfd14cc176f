import CommandSupport
import Metrics
import Statistics

/// Error rates of comparisons of cost for a terminal.
enum CostText {
  static func text(_ power: CostPower) -> String {
    var table = TextTable(header: [
      "added cost", "trials", "regression", "95 % interval", "improvement", "within noise",
      "inconclusive", "ratio", "p5", "p95", "detectable", "s each",
    ])
    for row in power.rows {
      let range = row.regressions.clopperPearson()
      func said(_ verdict: ComparisonVerdict) -> String { "\(row.verdicts[verdict.rawValue] ?? 0)" }
      table.rows.append([
        "\(format(row.share * 100, 0)) %", "\(row.regressions.trials)",
        "\(format(row.regressions.share * 100, 1)) %",
        "\(format(range.lowerBound * 100, 1)) to \(format(range.upperBound * 100, 1)) %",
        said(.improvement), said(.withinNoise), said(.inconclusive), format(row.ratio, 3),
        format(row.ratioP5, 3), format(row.ratioP95, 3),
        "+\(format((row.minimumDetectableRatio - 1) * 100, 1)) %", format(row.seconds, 1),
      ])
    }
    return table.text()
  }
}
