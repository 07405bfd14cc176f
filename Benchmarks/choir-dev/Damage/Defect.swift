import Metrics

/// One dose of a fault that the selftest plants, and the metrics that must show it to a gate.
struct Defect: Sendable {
  /// Short name for `--only`, such as `detune-3`.
  let id: String
  let title: String
  let damage: Damage
  /// Metrics of which at least one must report a regression.
  let expected: [String]
  /// Metrics or families that are measured to detect it.
  let measured: MetricChoice
  /// Required share of trials that detect it; `nil` if the project requires none.
  let requiredPower: Double?

  init(
    _ id: String, _ title: String, _ damage: Damage, seenBy expected: [String],
    measuring: [String], requiredPower: Double? = nil
  ) {
    (self.id, self.title, self.damage, self.expected) = (id, title, damage, expected)
    measured = MetricChoice(measuring)
    self.requiredPower = requiredPower
  }

  /// Defects that the project's own gate is tried with.
  static let library = PlantedFault.all.flatMap { fault in
    fault.trials.map { trial in
      Defect(
        trial.id, trial.title, fault.damage(trial.dose), seenBy: fault.seenBy,
        measuring: fault.measuring, requiredPower: trial.requiredPower)
    }
  }

  /// True if it changes the cost alone. Then no cell shows it; trials of cost (`CostPower`) do, on
  /// the selftest's subject after everything else, when the machine is quiet.
  var isOfCost: Bool { damage.kind == .slower }

  /// Additional processor time relative to the subject's own, for a defect of cost.
  var addedCost: Double { damage.dose / 100 }
}
