import Corpus
import Metrics

/// The accepted costs of a subject's settings, part of a baseline. All were measured on one
/// machine.
public struct BaselineCosts: Equatable, Sendable {
  /// One setting's cost by one measure; a reviewed line.
  public struct Row: Equatable, Sendable {
    /// Time relative to the calibration workload, or instructions per second of sound.
    public var value: Double
    /// `nil` for a count.
    public var interval: ClosedRange<Double>?
    public var rounds: Int
    /// Version of the calibration workload or of the counting method.
    public var version: Int
    /// Reason of the last change.
    public var reason: String
  }

  /// Machine class, as `MachineClass.here`.
  public var machine: String
  public var rows: [FigureKey: Row]

  public init(machine: String = MachineClass.here, rows: [FigureKey: Row] = [:]) {
    (self.machine, self.rows) = (machine, rows)
  }

  /// Returns the key of a cost in a baseline.
  public static func key(_ measure: GateCost.Measure, _ settings: SubjectSettings) -> FigureKey {
    FigureKey(
      .init(prefix + measure.rawValue, voice: nil), score: "", configuration: settings.canonical)
  }

  static let prefix = "cost."
  /// Version of the counting method; raised with every change.
  static let countVersion = 1

  static func unit(_ measure: GateCost.Measure) -> String {
    switch measure {
    case .time: "workloads"
    case .instructions: "1/s"
    }
  }

  // MARK: - Time

  mutating func keep(_ cost: CalibratedCost, _ settings: SubjectSettings, reason: String = "") {
    rows[Self.key(.time, settings)] = Row(
      value: cost.ratio, interval: cost.interval, rounds: cost.rounds,
      version: cost.workloadVersion, reason: reason)
  }

  public func time(_ settings: SubjectSettings) -> CalibratedCost? {
    time(at: Self.key(.time, settings))
  }

  private func time(at key: FigureKey) -> CalibratedCost? {
    guard let row = rows[key], let interval = row.interval else { return nil }
    return CalibratedCost(
      ratio: row.value, interval: interval, confidence: CostTrial.Settings().confidence,
      rounds: row.rounds, workloadVersion: row.version, machine: machine)
  }

  // MARK: - Instructions

  mutating func keep(_ count: InstructionCount, _ settings: SubjectSettings, reason: String = "") {
    rows[Self.key(.instructions, settings)] = Row(
      value: count.perSecond, rounds: 1, version: Self.countVersion, reason: reason)
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
  public func leastCounted(_ settings: CostTrial.Settings) -> Double {
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
    BaselineCosts(
      machine: machine,
      rows: rows.mapValues { row in
        var row = row
        row.reason = reason
        return row
      })
  }

  /// Returns `nil` if the two can't be compared.
  private func verdict(
    of new: BaselineCosts, at key: FigureKey, _ settings: CostTrial.Settings
  ) -> ComparisonVerdict? {
    if let was = time(at: key), let now = new.time(at: key) {
      return try? now.comparison(to: was, settings).verdict
    }
    guard let was = instructions(at: key), let now = new.instructions(at: key) else { return nil }
    return try? now.comparison(to: was, minimumEffect: leastCounted(settings)).verdict
  }
}
