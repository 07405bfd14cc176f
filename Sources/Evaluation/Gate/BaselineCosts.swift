import Corpus
import Metrics

/// The accepted costs of a subject's settings, part of a baseline. All were measured on one
/// machine.
public struct BaselineCosts: Equatable, Sendable {
  /// Machine class, as `MachineClass.here`.
  public var machine = MachineClass.here
  /// One setting's cost by one measure: time relative to the calibration workload with the number of
  /// its rounds, or instructions per second of sound, without an interval. The version is that of the
  /// workload or of the counting method.
  public var rows: [FigureKey: Baseline.Row] = [:]

  /// Returns the key of a cost in a baseline.
  public static func key(_ measure: GateCost.Measure, _ settings: SubjectSettings) -> FigureKey {
    FigureKey(
      .init(prefix + measure.rawValue, voice: nil), score: "", configuration: settings.canonical)
  }

  static let prefix = "cost."
  /// Version of the counting method; raised with every change.
  static let countVersion = 1

  // MARK: - Time

  mutating func keep(_ cost: CalibratedCost, _ settings: SubjectSettings, reason: String = "") {
    rows[Self.key(.time, settings)] = Baseline.Row(
      value: cost.ratio, interval: cost.interval, count: cost.rounds, unit: "workloads",
      direction: .lower, version: cost.workloadVersion, reason: reason)
  }

  public func time(_ settings: SubjectSettings) -> CalibratedCost? {
    time(at: Self.key(.time, settings))
  }

  private func time(at key: FigureKey) -> CalibratedCost? {
    guard let row = rows[key], let interval = row.interval else { return nil }
    return CalibratedCost(
      ratio: row.value, interval: interval, confidence: CostTrial.Settings().confidence,
      rounds: row.count, workloadVersion: row.version, machine: machine)
  }

  // MARK: - Instructions

  mutating func keep(_ count: InstructionCount, _ settings: SubjectSettings, reason: String = "") {
    rows[Self.key(.instructions, settings)] = Baseline.Row(
      value: count.perSecond, count: 1, unit: "1/s", direction: .lower,
      version: Self.countVersion, reason: reason)
  }

  public func instructions(_ settings: SubjectSettings) -> InstructionCount? {
    instructions(at: Self.key(.instructions, settings))
  }

  private func instructions(at key: FigureKey) -> InstructionCount? {
    guard let row = rows[key], row.interval == nil, row.version == Self.countVersion else {
      return nil
    }
    return InstructionCount(perSecond: row.value)
  }

  /// Smallest relative rise of an instruction count that is a regression.
  public func minCounted(_ settings: CostTrial.Settings) -> Double {
    machine == MachineClass.here
      ? settings.minimumEffect : max(settings.minimumEffect, settings.foreignError)
  }

  // MARK: - Acceptance

  /// Returns the costs to keep: the old ones, unless one of them is a regression or missing in the
  /// new ones. With `all`, any verdict beyond noise replaces them. Costs belong to one machine, so
  /// they are kept or replaced together.
  func accepting(
    _ new: BaselineCosts, all: Bool, reason: String, _ settings: CostTrial.Settings
  ) -> BaselineCosts {
    let verdicts = new.rows.keys.map { verdict(of: new, at: $0, settings) }
    let isSame = Set(rows.keys) == Set(new.rows.keys) && !verdicts.contains(nil)
    let changed: [ComparisonVerdict?] =
      all ? [.regression, .improvement, .inconclusive] : [.regression]
    let isKept =
      isSame && !verdicts.contains(where: changed.contains) && !(all && machine != new.machine)
    return isKept ? self : new.because(reason)
  }

  /// Returns the keys whose second measurement differs beyond noise.
  func unstable(beside second: BaselineCosts, _ settings: CostTrial.Settings) -> [FigureKey] {
    rows.keys.sorted().filter { key in
      let verdict = verdict(of: second, at: key, settings)
      return verdict == nil || verdict == .regression || verdict == .improvement
    }
  }

  func because(_ reason: String) -> BaselineCosts {
    var costs = self
    for key in rows.keys { costs.rows[key]?.reason = reason }
    return costs
  }

  /// Returns `nil` if the two can't be compared.
  private func verdict(
    of new: BaselineCosts, at key: FigureKey, _ settings: CostTrial.Settings
  ) -> ComparisonVerdict? {
    if let was = time(at: key), let now = new.time(at: key) {
      return try? now.comparison(to: was, settings).verdict
    }
    guard let was = instructions(at: key), let now = new.instructions(at: key) else { return nil }
    return try? now.comparison(to: was, minimumEffect: minCounted(settings)).verdict
  }
}
