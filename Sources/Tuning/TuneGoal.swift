import DSP

/// What is asked of the settings: the axes that count, how much, and what may not be exceeded.
///
/// The rule. Of the settings within every budget, the one with the least *distance*: the sum over
/// the axes of how far each is from ideal, in units of that axis's scale. Scales are exchange rates
/// (10 ms are worth 10 cents unless told otherwise), the ideal is fixed, and so no setting's
/// distance depends on which others were tried; and whatever is chosen is on the front.
public struct TuneGoal: Codable, Equatable, Sendable {
  public var axes: [TuneAxis]
  /// The most of each axis, of intelligibility the least.
  public var budgets: [TuneAxis: Double]
  /// In place of `TuneAxis.usualScale`.
  public var scales: [TuneAxis: Double]

  public init(
    axes: [TuneAxis] = TuneAxis.usual, budgets: [TuneAxis: Double] = [:],
    scales: [TuneAxis: Double] = [:]
  ) {
    (self.axes, self.budgets, self.scales) = (axes, budgets, scales)
  }

  /// The rule in a line, for whoever reads an answer.
  public static let rule =
    "within all budgets the least distance: the sum over the axes of how far from ideal, each in "
    + "units of its scale"

  public func validate() throws(SettingsError) {
    for (axis, budget) in budgets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let allowed = axis == .intelligibility ? 0.0...1.0 : 0.0...100_000.0
      try require("the budget of \(axis.rawValue)", budget, in: allowed)
    }
    for (axis, scale) in scales.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try require("the scale of \(axis.rawValue)", scale, in: 1e-6...1e6)
    }
  }

  /// Those that are weighed and those that only have a budget.
  var allAxes: [TuneAxis] {
    axes + TuneAxis.allCases.filter { budgets[$0] != nil && !axes.contains($0) }
  }

  /// All that the answer is made of, by id.
  public var metrics: [String] {
    Array(Set(allAxes.flatMap(\.metrics) + ["latency.impulse"])).sorted()
  }

  func scale(_ axis: TuneAxis) -> Double { scales[axis] ?? axis.usualScale }

  /// A difference that doesn't count.
  func step(_ axis: TuneAxis) -> Double { scale(axis) / 10 }

  /// The sum over those of `weighed` that a setting has; `nil` where it lacks one, or nothing is weighed.
  func distance(_ values: [TuneAxis: Double], over weighed: [TuneAxis]) -> Double? {
    guard !weighed.isEmpty else { return nil }
    var sum = 0.0
    for axis in weighed {
      guard let value = values[axis] else { return nil }
      sum += axis.shortfall(value) / scale(axis)
    }
    return sum
  }

  /// How far beyond its budgets a setting is, the worst of them, in units of the scale; 0 within
  /// all. Infinite where a value to be held against a budget is missing.
  func excess(_ values: [TuneAxis: Double]) -> Double {
    budgets.map { axis, budget in
      guard let value = values[axis] else { return .infinity }
      let over = axis == .intelligibility ? budget - value : value - budget
      return max(0, over) / scale(axis)
    }.max() ?? 0
  }

  /// The order of preference: within budgets before beyond them, then by distance, or by excess.
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
