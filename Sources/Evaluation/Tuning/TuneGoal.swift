import DSP
import Foundation
import Sweep

/// The requirements on settings: the axes that count, their scales, their budgets, and how much of
/// the recordings must be served. `TuneRule` is the rule that they enter.
public struct TuneGoal: Codable, Equatable, Sendable {
  public var axes: [TuneAxis]
  /// Largest allowed value of each axis; for intelligibility the smallest.
  public var budgets: [TuneAxis: Double]
  /// Scales that replace `TuneAxis.defaultScale`.
  public var scales: [TuneAxis: Double]
  /// Share of a register's recordings that the figures cover.
  public var served: Double
  /// Largest share of frames in which a voice may be missing or on a wrong note, in percent.
  public var lostLimitPercent: Double

  public static let defaultLostLimitPercent = 1.0

  public init(
    axes: [TuneAxis] = TuneAxis.defaults, budgets: [TuneAxis: Double] = [:],
    scales: [TuneAxis: Double] = [:], served: Double = 0.9,
    lostLimitPercent: Double = defaultLostLimitPercent
  ) {
    (self.axes, self.budgets, self.scales) = (axes, budgets, scales)
    (self.served, self.lostLimitPercent) = (served, lostLimitPercent)
  }

  /// The rule in one line, for readers of an answer.
  public static let rule =
    "of the settings within all budgets that serve every register, the first of the plan less than a step "
    + "behind the best, or a third of its audible total where other recordings could turn that round: log2(1 + JNDs) of each fault in the worst voice and "
    + "register, plus latency and cost in units of their scales"

  /// Amounts of an axis that may count as one step.
  public static let scaleRange = 1e-6...1e6

  public func validate() throws(SettingsError) {
    for (axis, budget) in budgets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let allowed = axis == .intelligibility ? 0.0...1.0 : 0.0...100_000.0
      try require("the budget of \(axis.rawValue)", budget, in: allowed)
    }
    for (axis, scale) in scales.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try require("the scale of \(axis.rawValue)", scale, in: Self.scaleRange)
    }
    try require("the share of recordings to serve", served, in: 0.5...1)
    try require("the limit of lost frames in percent", lostLimitPercent, in: 0...100)
  }

  /// The axes that are weighed and those that only have a budget.
  var allAxes: [TuneAxis] {
    axes + TuneAxis.allCases.filter { budgets[$0] != nil && !axes.contains($0) }
  }

  /// Ids of all metrics that the answer needs.
  public var metrics: [String] {
    let ids = allAxes.flatMap { $0.metrics + [$0.rateMetric].compactMap(\.self) }
    return Array(Set(ids + ["latency.impulse", TuneAxis.levelMetric])).sorted()
  }

  func scale(_ axis: TuneAxis) -> Double { scales[axis] ?? axis.defaultScale }

  /// Place of the recording, in order of quality from the best, whose value is a register's figure.
  func rank(of count: Int) -> Int { max(1, Int((served * Double(count) - 1e-9).rounded(.up))) }

  // MARK: - Steps

  /// Number of just-noticeable differences of a fault, or of scales of latency and cost.
  func units(_ axis: TuneAxis, _ value: Double) -> Double { axis.shortfall(value) / scale(axis) }

  /// Returns the steps of a fault, or the units of latency and cost.
  func steps(_ axis: TuneAxis, _ value: Double) -> Double {
    axis.isAudible ? log2(1 + units(axis, value)) : units(axis, value)
  }

  /// Returns the largest excess over a budget, in units of the scale; 0 within all budgets,
  /// infinite if a budgeted value is missing.
  func excess(_ value: (TuneAxis) -> Double?) -> Double {
    budgets.map { axis, budget in
      value(axis).map { max(0, axis.excess($0, over: budget)) / scale(axis) } ?? .infinity
    }.max() ?? 0
  }
}
