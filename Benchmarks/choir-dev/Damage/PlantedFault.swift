import Metrics

/// A kind of damage, the doses that each tool plants, and the metrics that have to show it.
///
/// The metrics were written down before any measurement, except for the shares of frames within 5 and
/// 10 cents.
struct PlantedFault: Sendable {
  /// One dose that the selftest plants, and that the gate must find or may miss.
  struct Trial: Sendable {
    /// Short name for `--only`, such as `detune-3`.
    var id: String
    var title: String
    var dose: Double
    /// Required share of trials that detect it; `nil` if the project requires none.
    var requiredPower: Double?
  }

  /// A metric that reads the dose itself, and how far from it.
  struct Meter: Sendable {
    /// Name of the quantity.
    var name: String
    var metric: String
    /// Largest allowed difference between the measured amount and the dose.
    var allowed: @Sendable (_ dose: Double) -> Double
  }

  let kind: Damage.Kind
  /// Name with the unit of its doses.
  let name: String

  // The gate (`choir-dev selftest`).
  var trials: [Trial] = []
  /// Metrics of which at least one must report a regression.
  var seenBy: [String] = []
  /// Metrics or families that are measured to detect it.
  var measuring: [String] = []

  // Metrics (`choir-dev metrics validate`).
  /// Doses of a ladder, the smallest damage first.
  var ladder: [Double] = []
  /// Ids of the metrics that are about it, or beginnings of ids with a `*`.
  var about: [String] = []

  // The metric itself (`choir-dev selftest`, before all trials).
  var meter: Meter?

  /// The damage of a dose.
  func damage(_ dose: Double) -> Damage { Damage(kind: kind, dose: dose) }

  /// True if a metric must follow the doses of the ladder.
  func isAbout(_ metric: String) -> Bool {
    about.contains { pattern in
      pattern.hasSuffix("*") ? metric.hasPrefix(pattern.dropLast()) : metric == pattern
    } || Metric.metric(id: metric)?.own?.follows?.contains { name.hasPrefix($0) } ?? false
  }

  /// The faults whose doses form a ladder.
  static let ladders = all.filter { !$0.ladder.isEmpty }
}
