import Cost
import Statistics

/// A subject that takes more time on a core than it should, by a known share.
///
/// What it sounds like is the same, so no cell shows it: it is tried by trials of cost (`CostPower`),
/// on the subject as the selftest has it, when all else is done and the machine is quiet again.
public struct CostDefect: Equatable, Sendable {
  public let id: String
  public let title: String
  /// Of the subject's own cost.
  public let share: Double
  /// As of `Defect`.
  public let requiredPower: Double?

  init(percent: Int, requiredPower: Double? = nil) {
    (id, title) = ("cpu-\(percent)", "\(percent) % more time on a core")
    (share, self.requiredPower) = (Double(percent) / 100, requiredPower)
  }

  public static let library = [
    CostDefect(percent: 5), CostDefect(percent: 10, requiredPower: 0.95), CostDefect(percent: 25),
  ]

  /// What sees it: no metric of a cell.
  static let seenBy = "cost"
}

extension [CostPower.Row] {
  /// A row of a selftest for each defect that was tried.
  func rows(for defects: [CostDefect]) -> [Selftest.Row] {
    defects.compactMap { defect in
      guard let row = first(where: { $0.share == defect.share }) else { return nil }
      return Selftest.Row(
        id: defect.id, title: defect.title, expected: [CostDefect.seenBy],
        requiredPower: defect.requiredPower, found: row.regressions,
        interval: row.regressions.clopperPearson(), said: row.alarms, worsening: [:],
        costRatio: row.ratio)
    }
  }

  /// The subject beside itself; `nil` where it was not tried.
  var nullTrials: Selftest.NullTrial? {
    guard let row = first(where: { $0.share == 0 }) else { return nil }
    return Selftest.NullTrial(
      title: "the subject's cost beside its own", comparisons: row.regressions, said: row.alarms,
      figures: 1, differing: 1, mostAlarms: 0.01)
  }
}

extension CostPower.Row {
  fileprivate var alarms: [String: Int] {
    regressions.successes > 0 ? [CostDefect.seenBy: regressions.successes] : [:]
  }
}
