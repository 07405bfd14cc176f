/// Rows of the selftest from trials of cost.
extension [CostPower.Row] {
  /// One row for each defect of cost that was tried.
  func rows(for defects: [Defect]) -> [Selftest.Row] {
    defects.filter(\.isOfCost).compactMap { defect in
      guard let row = first(where: { $0.share == defect.addedCost }) else { return nil }
      return Selftest.Row(
        id: defect.id, title: defect.title, expected: defect.expected,
        requiredPower: defect.requiredPower, detected: row.regressions,
        interval: row.regressions.clopperPearson(), regressions: row.alarms, worsening: [:],
        costRatio: row.ratio)
    }
  }

  /// Comparison of the subject with itself; `nil` if it was not tried.
  var nullTrials: Selftest.NullTrial? {
    guard let row = first(where: { $0.share == 0 }) else { return nil }
    return Selftest.NullTrial(
      title: "the subject's cost against its own", comparisons: row.regressions,
      regressions: row.alarms, figures: 1, differing: 1, maxAlarms: 0.01)
  }
}

extension CostPower.Row {
  fileprivate var alarms: [String: Int] {
    regressions.successes > 0 ? ["cost": regressions.successes] : [:]
  }
}
