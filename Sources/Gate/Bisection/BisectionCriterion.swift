import Files
import Metrics

/// The evidence that tells a bad commit from a good one: a figure in the cells in which it got worse by most, or a
/// cell that fails.
struct BisectionCriterion: Sendable {
  struct TellingCell: Sendable {
    var address: CellAddress
    /// Value of the good side.
    var good: Double
    /// Value of the bad side; `nil` if it has none.
    var bad: Double?
    /// Standard deviation between equal runs.
    var deviation = 0.0
  }

  /// `nil` if a cell fails.
  var figure: FigureKey?
  /// The most telling cell first.
  var cells: [TellingCell]

  /// Chooses the figure and its cells.
  ///
  /// - Parameter name: id of a metric, or a figure as the gate prints it; by default the gate's first
  ///   regression.
  init(
    of comparison: RunComparison?, good: [ComparedCell], bad: [ComparedCell], figure name: String?,
    _ words: (good: String, bad: String)
  ) throws {
    let before = Dictionary(good.map { ($0.address, $0) }) { first, _ in first }
    let pairs = bad.compactMap { cell in before[cell.address].map { (good: $0, bad: cell) } }
    let differences = comparison?.differences ?? []
    let chosen =
      name.map { name in
        differences.first {
          ($0.metric == name || "\($0.key)" == name) && ($0.worsening ?? 1) > 0
        }
      } ?? differences.first { $0.verdict == .regression }
    if let chosen, let metric = Metric.metric(id: chosen.metric) {
      figure = chosen.key
      cells = Self.cells(of: chosen.key, metric, in: pairs)
    } else if name == nil {
      cells = pairs.filter { $0.good.failure == nil && $0.bad.failure != nil }
        .map { TellingCell(address: $0.bad.address, good: 0, bad: nil) }
    } else {
      cells = []
    }
    guard !cells.isEmpty else {
      throw BisectionError.nothingWorse(
        good: words.good, bad: words.bad, figure: name,
        worse: differences.filter { ($0.worsening ?? 0) > 0 }.map(\.metric).uniqued())
    }
  }

  private static func cells(
    of key: FigureKey, _ metric: Metric, in pairs: [(good: ComparedCell, bad: ComparedCell)]
  ) -> [TellingCell] {
    var found: [(cell: TellingCell, worsening: Double)] = []
    for pair in pairs where pair.bad.address.key(of: key.figure) == key {
      guard case .value(let good)? = pair.good.figures[key.figure] else { continue }
      switch pair.bad.figures[key.figure] {
      case .value(let bad):
        let worsening =
          metric.loss(bad, ideal: metric.ideal)! - metric.loss(good, ideal: metric.ideal)!
        guard worsening > 0 else { continue }
        found.append((TellingCell(address: pair.bad.address, good: good, bad: bad), worsening))
      default:
        found.append((TellingCell(address: pair.bad.address, good: good, bad: nil), .infinity))
      }
    }
    return found.sorted { $0.worsening > $1.worsening }.map(\.cell)
  }

  /// The observation of a cell.
  enum Observation: Equatable {
    case value(Double)
    /// It has no value, or the whole cell failed.
    case none
  }

  func observation(of cell: ComparedCell) -> Observation {
    guard let figure else { return cell.failure == nil ? .value(0) : .none }
    if case .value(let value)? = cell.figures[figure.figure] { return .value(value) }
    return .none
  }
}
