import Corpus
import Platform
import Sweep

/// A run whose settings were measured on different recordings because it ended early.
public struct UnfinishedRun: Error, CustomStringConvertible {
  public let description: String

  /// - Throws: if a sweep ended before all its cells were measured.
  public static func refuse(_ outcome: Sweep.Outcome, of plan: Plan) throws(UnfinishedRun) {
    guard outcome.end != .complete else { return }
    let cause =
      outcome.end == .outOfTime
      ? "the limit of \(SettingValue.number(plan.limitSeconds ?? 0)) s ended the run"
      : "the run was stopped"
    let cells =
      outcome.left.isEmpty
      ? "before its costs were timed" : "with \(counted(outcome.left.count, "cell")) left"
    throw UnfinishedRun(
      description:
        "\(cause) \(cells), so its settings can't be compared and none is recommended; run "
        + "the command again to measure the rest, or raise limitSeconds in the plan")
  }
}
