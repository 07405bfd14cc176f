import Metrics
import Platform
import Statistics

/// The evidence that tells a bad commit from a good one: a figure in the cells in which it got worse
/// by most, or a cell that fails.
struct BisectionCriterion: Sendable {
  struct TellingCell: Sendable {
    var address: CellAddress
    /// Median of the good side's takes.
    var good: Double
    /// Median of the bad side's takes; `nil` if most have no value.
    var bad: Double?
    /// Standard deviation between takes of one side.
    var deviation = 0.0

    /// Information of one observation, by the spread that `SequentialTest` assumes.
    fileprivate var tells: Double {
      guard let bad else { return .infinity }
      let step = abs(bad - good)
      return step / max(deviation, SequentialTest.driftShare * step)
    }
  }

  /// `nil` if a cell fails.
  var figure: FigureKey?
  /// The most telling cell first.
  var cells: [TellingCell]

  /// Chooses the figure and its cells.
  ///
  /// - Parameters:
  ///   - causes: groups of the comparison's regressions.
  ///   - name: id of a metric, or a figure as the gate prints it; by default the figure that heads the
  ///     first cause.
  init(
    of comparison: RunComparison, _ causes: [CauseGroup], good: Takes, bad: Takes,
    figure name: String?, _ words: (good: String, bad: String)
  ) throws {
    let before = good.medians.keyed(by: \.address)
    let pairs = bad.medians.compactMap { cell in
      before[cell.address].map { (good: $0, bad: cell) }
    }
    let differences = comparison.differences
    let chosen =
      name.map { name in
        differences.first {
          ($0.metric == name || "\($0.key)" == name) && ($0.worsening ?? 1) > 0
        }
      } ?? causes.first.flatMap { cause in differences.first { $0.key == cause.head } }
    if let chosen, let metric = Metric.metric(id: chosen.metric) {
      figure = chosen.key
      let deviations = Self.deviations(of: chosen.key.figure, good, bad)
      cells = Self.cells(of: chosen.key, metric, in: pairs, deviations)
    } else if name == nil {
      cells = pairs.filter { $0.good.failure == nil && $0.bad.failure != nil }
        .map { TellingCell(address: $0.bad.address, good: 0, bad: nil) }
    } else {
      cells = []
    }
    guard !cells.isEmpty else {
      throw Refusal.nothingWorse(
        good: words.good, bad: words.bad, figure: name,
        worse: differences.filter { ($0.worsening ?? 0) > 0 }.map(\.metric).uniqued())
    }
  }

  private static func cells(
    of key: FigureKey, _ metric: Metric, in pairs: [(good: ComparedCell, bad: ComparedCell)],
    _ deviations: [CellAddress: Double]
  ) -> [TellingCell] {
    var found: [(cell: TellingCell, worsening: Double)] = []
    for pair in pairs where pair.bad.address.key(of: key.figure) == key {
      guard let good = pair.good.figures[key.figure]?.number else { continue }
      if let bad = pair.bad.figures[key.figure]?.number {
        let worsening = metric.loss(bad)! - metric.loss(good)!
        guard worsening > 0 else { continue }
        let place = pair.bad.address
        let cell = TellingCell(
          address: place, good: good, bad: bad, deviation: deviations[place] ?? 0)
        found.append((cell, worsening))
      } else {
        found.append((TellingCell(address: pair.bad.address, good: good, bad: nil), .infinity))
      }
    }
    return found.sorted { ($1.cell.tells, $1.worsening) < ($0.cell.tells, $0.worsening) }
      .map(\.cell)
  }

  /// Returns the standard deviation of a figure between the takes of one side, by cell.
  private static func deviations(
    of figure: FigureID, _ good: Takes, _ bad: Takes
  ) -> [CellAddress: Double] {
    var spreads: [CellAddress: (squares: Double, degrees: Double)] = [:]
    for side in [good, bad] where side.perturbations > 0 {
      for cell in side.cells {
        side.forEachFigure(of: cell) { id, takes in
          let values = takes.compactMap(\.self)
          guard id == figure, values.count > 1, let deviation = Statistics.deviation(values)
          else { return }
          let degrees = Double(values.count - 1)
          spreads[cell.address, default: (0, 0)].squares += deviation * deviation * degrees
          spreads[cell.address]!.degrees += degrees
        }
      }
    }
    return spreads.mapValues { ($0.squares / $0.degrees).squareRoot() }
  }

  /// Returns what a cell shows: the value of the figure, or 0 if only a failure counts; `nil` if it has
  /// no value, or the whole cell failed.
  func observation(of cell: ComparedCell) -> Double? {
    guard let figure else { return cell.failure == nil ? 0 : nil }
    return cell.figures[figure.figure]?.number
  }
}
