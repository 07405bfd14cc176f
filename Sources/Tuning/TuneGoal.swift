import DSP

/// The requirements on settings: the axes that count, their scales and their budgets.
///
/// **Rule.** The recommended setting has the smallest *distance* of those within every budget. The
/// distance is the sum over the axes of the distance from the ideal, in units of the axis's scale.
/// Scales are exchange rates: by default 10 ms are worth 10 cents. The ideal is fixed, so a
/// setting's distance does not depend on which others were tried. The recommended setting is always
/// on the front.
public struct TuneGoal: Codable, Equatable, Sendable {
  public var axes: [TuneAxis]
  /// Largest allowed value of each axis; for intelligibility the smallest.
  public var budgets: [TuneAxis: Double]
  /// Scales that replace `TuneAxis.defaultScale`.
  public var scales: [TuneAxis: Double]

  public init(
    axes: [TuneAxis] = TuneAxis.defaults, budgets: [TuneAxis: Double] = [:],
    scales: [TuneAxis: Double] = [:]
  ) {
    (self.axes, self.budgets, self.scales) = (axes, budgets, scales)
  }

  /// The rule in one line, for readers of an answer.
  public static let rule =
    "smallest distance within all budgets: the sum over the axes of the distance from the ideal, "
    + "each in units of its scale"

  public func validate() throws(SettingsError) {
    for (axis, budget) in budgets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let allowed = axis == .intelligibility ? 0.0...1.0 : 0.0...100_000.0
      try require("the budget of \(axis.rawValue)", budget, in: allowed)
    }
    for (axis, scale) in scales.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try require("the scale of \(axis.rawValue)", scale, in: 1e-6...1e6)
    }
  }

  /// The axes that are weighed and those that only have a budget.
  var allAxes: [TuneAxis] {
    axes + TuneAxis.allCases.filter { budgets[$0] != nil && !axes.contains($0) }
  }

  /// Ids of all metrics that the answer needs.
  public var metrics: [String] {
    Array(Set(allAxes.flatMap(\.metrics) + ["latency.impulse"])).sorted()
  }

  func scale(_ axis: TuneAxis) -> Double { scales[axis] ?? axis.defaultScale }

  /// Smallest difference that counts.
  func step(_ axis: TuneAxis) -> Double { scale(axis) / 10 }

  /// Returns the distance over `weighed`; `nil` if the setting lacks one of them or there are none.
  func distance(_ values: [TuneAxis: Double], over weighed: [TuneAxis]) -> Double? {
    guard !weighed.isEmpty else { return nil }
    var sum = 0.0
    for axis in weighed {
      guard let value = values[axis] else { return nil }
      sum += axis.shortfall(value) / scale(axis)
    }
    return sum
  }

  /// Returns the largest excess over a budget, in units of the scale; 0 within all budgets,
  /// infinite if a budgeted value is missing.
  func excess(_ values: [TuneAxis: Double]) -> Double {
    budgets.map { axis, budget in
      guard let value = values[axis] else { return .infinity }
      let over = axis == .intelligibility ? budget - value : value - budget
      return max(0, over) / scale(axis)
    }.max() ?? 0
  }

  /// Order of preference: the smallest excess over budgets first, then the smallest distance.
  struct Rank: Comparable {
    var excess: Double
    var distance: Double

    static func < (a: Rank, b: Rank) -> Bool {
      (a.excess, a.distance) < (b.excess, b.distance)
    }
  }

  func rank(_ values: [TuneAxis: Double], over weighed: [TuneAxis]) -> Rank? {
    distance(values, over: weighed).map { Rank(excess: excess(values), distance: $0) }
  }
}
