import Metrics
import Statistics

/// A known, relative increase of a subject's processor time.
///
/// The sound is unchanged, so no cell shows it. Cost trials (`CostPower`) test it on the selftest's
/// subject after everything else, when the machine is quiet.
public struct CostDefect: Equatable, Sendable {
  public let id: String
  public let title: String
  /// Increase relative to the subject's own cost.
  public let share: Double
  /// Required power, as in `Defect`.
  public let requiredPower: Double?

  init(percent: Int, requiredPower: Double? = nil) {
    (id, title) = ("cpu-\(percent)", "\(percent) % more time on a core")
    (share, self.requiredPower) = (Double(percent) / 100, requiredPower)
  }

  public static let library = [
    CostDefect(percent: 5), CostDefect(percent: 10, requiredPower: 0.95), CostDefect(percent: 25),
  ]

  /// The figure that detects it; no metric of a cell does.
  static let seenBy = "cost"
}

extension [CostPower.Row] {
  /// One selftest row for each defect that was tried.
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

  /// Comparison of the subject with itself; `nil` if it was not tried.
  var nullTrials: Selftest.NullTrial? {
    guard let row = first(where: { $0.share == 0 }) else { return nil }
    return Selftest.NullTrial(
      title: "the subject's cost against its own", comparisons: row.regressions, said: row.alarms,
      figures: 1, differing: 1, mostAlarms: 0.01)
  }
}

extension CostPower.Row {
  fileprivate var alarms: [String: Int] {
    regressions.successes > 0 ? [CostDefect.seenBy: regressions.successes] : [:]
  }
}
