import Files
import Foundation
import Identification
import Metrics
import Sweep

/// Chooses which cells of a plan to measure, so that few of them tell which setting is best.
///
/// One tone at each setting comes first (`SettingTone`). Then it starts with cells that hold every recording and setting about equally often. From these it
/// predicts all others (`CellPredictor`). Then, in rounds, it measures for the settings that come first
/// with measured and predicted cells together the cells that could change this most: those whose
/// intervals leave the setting's worst case most open.
///
/// - Source: the rule is that of upper confidence bounds, Srinivas, Krause, Kakade and Seeger,
///   "Gaussian process optimization in the bandit setting", ICML 2010, turned to the largest
///   fault of a setting, since a setting is judged by its worst case.
public struct PredictiveSearch: Sendable {
  /// Cells measured in a round, and the settings they were for.
  public struct Round: Codable, Equatable, Sendable {
    public var cells: Int
    public var settings: Int
  }

  public let cells: [Cell]
  /// Most cells to measure.
  public let budget: Int
  private let places: [CellPlace]
  private let candidates: [SettingChoice]
  private let tuner: Tuner
  private let tones: [SettingTone]

  /// Rounds after the first.
  private static let rounds = 6
  /// Share of the budget of the first round.
  private static let firstShare = 0.6
  /// Fewer cells predict nothing, so that many are measured in any case.
  private static let leastCells = 12

  /// - Parameters:
  ///   - tones: what a tone told of each setting.
  ///   - share: largest share of the cells to measure.
  public init(_ cells: [Cell], tuner: Tuner, tones: [SettingTone], share: Double) {
    (self.cells, self.tuner, self.tones) = (cells, tuner, tones)
    places = cells.map { CellPlace($0) }
    candidates = cells.map(\.candidate).uniqued()
    budget = min(cells.count, max(Self.leastCells, Int(share * Double(cells.count))))
  }

  /// Measures cells until the budget is used up, and returns the rounds.
  ///
  /// - Parameter measure: measures the cells at some indices and returns everything measured so far.
  public func run(
    measure: (Set<Int>) async throws -> [CellResult]
  ) async rethrows -> (measured: [CellResult], rounds: [Round]) {
    let first = Set(BalancedOrder.indices(of: places, count: firstCount))
    var chosen = first
    var measured = try await measure(chosen)
    var rounds = [Round(cells: first.count, settings: choices(of: first).count)]
    while chosen.count < budget {
      let step = max(1, (budget - firstCount + Self.rounds - 1) / Self.rounds)
      let next = next(after: chosen, measured, count: min(step, budget - chosen.count))
      guard !next.isEmpty else { break }
      chosen.formUnion(next)
      measured = try await measure(chosen)
      rounds.append(Round(cells: next.count, settings: choices(of: next).count))
    }
    return (measured, rounds)
  }

  private var firstCount: Int {
    min(budget, max(Self.leastCells, Int(Self.firstShare * Double(budget))))
  }

  private func choices(of indices: Set<Int>) -> Set<SettingChoice> {
    Set(indices.map { cells[$0].candidate })
  }

  // MARK: - The next cells

  private func next(
    after chosen: Set<Int>, _ measured: [CellResult], count: Int
  ) -> Set<Int> {
    let plan = PredictedPlan(cells, places, measured, tones: tones, figures: figures)
    let order = tuner.order(of: plan.results, candidates).map { candidates[$0] }
    // Half of the settings at first, three in the end.
    let left = Double(budget - chosen.count) / Double(max(1, budget))
    let leading = order.prefix(max(3, Int(Double(candidates.count) * left)))
    let places = Dictionary(grouping: cells.indices, by: { cells[$0].candidate })
    var next: Set<Int> = []
    var turn = 0
    var open = leading.map { choice in
      let own = places[choice]!
      let worst = worst(of: own, plan)
      return own.filter { !chosen.contains($0) }
        .map { (index: $0, gain: gain(of: $0, among: worst, plan)) }
        .sorted { $0.gain > $1.gain }.map(\.index)
    }
    while next.count < count, open.contains(where: { !$0.isEmpty }) {
      let place = turn % open.count
      if !open[place].isEmpty { next.insert(open[place].removeFirst()) }
      turn += 1
    }
    return next
  }

  /// The figures that the goal weighs.
  var figures: [PredictedFigure] {
    let wanted = Set(tuner.goal.metrics)
    return PredictedFigure.allCases.filter { wanted.contains($0.metric) }
  }

  /// The two worst cells of a setting on one axis, by measured or predicted steps.
  private struct Worst {
    var index: Int
    var steps: Double
    var next: Double
  }

  private func worst(of own: [Int], _ plan: PredictedPlan) -> [TuneAxis: Worst] {
    var worst: [TuneAxis: Worst] = [:]
    for axis in tuner.goal.axes {
      let steps = own.compactMap { index in
        tuner.goal.steps(of: plan.results[index], on: axis).map { (index, $0) }
      }.sorted { $0.1 > $1.1 }
      guard let first = steps.first else { continue }
      worst[axis] = Worst(
        index: first.0, steps: first.1, next: steps.dropFirst().first?.1 ?? 0)
    }
    return worst
  }

  /// Returns the steps by which a setting's worst cases may change if this cell is measured: from the
  /// larger of the cell's lower bound and the worst of the other cells to the cell's upper bound.
  private func gain(
    of index: Int, among worst: [TuneAxis: Worst], _ plan: PredictedPlan
  ) -> Double {
    guard let bounds = plan.bounds[index] else { return 0 }
    return tuner.goal.axes.reduce(0) { sum, axis in
      let ends = bounds.compactMap { tuner.goal.steps(of: $0, on: axis) }
      guard let low = ends.min(), let high = ends.max() else { return sum }
      let others = worst[axis].map { $0.index == index ? $0.next : $0.steps } ?? 0
      return sum + max(0, high - max(low, others))
    }
  }

  /// Returns a result for every cell of the plan: the measured one, or a prediction.
  public func completed(by measured: [CellResult]) -> [CellResult] {
    PredictedPlan(cells, places, measured, tones: tones, figures: figures).results
  }
}

extension Cell {
  var candidate: SettingChoice { .init(subject: subjectID, settings: settings) }
}
