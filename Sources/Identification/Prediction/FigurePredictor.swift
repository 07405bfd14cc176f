import Files
import Foundation
import Metrics
import Statistics

/// A predicted figure with its 90 % interval.
public struct Prediction: Codable, Equatable, Sendable {
  public var figure: PredictedFigure
  /// Index of the voice in the score; `nil` for the whole sound.
  public var voice: Int?
  public var value: Double
  public var low: Double
  public var high: Double

  public func covers(_ measured: Double) -> Bool { low <= measured && measured <= high }
}

/// How well a prediction must be known.
public enum Certainty: Sendable {
  /// Its interval covers 90 %, which takes nine cells with the figure.
  case calibrated
  /// It is the best guess from one cell or more, whose interval may be wrong. A choice needs a figure
  /// for every setting, and a figure that a single recording has is measured in few cells.
  case guess

  var leastCells: Int {
    switch self {
    // A new error is above the largest of nine with a probability of one in ten, so fewer cells
    // give no 90 % interval.
    case .calibrated: 9
    case .guess: 1
    }
  }
}

/// Predicts one figure of any cell of a plan from the cells that were measured.
///
/// The figure is a sum of random effects of recording, voice, condition and settings, and of their
/// interactions (`EffectsFit`), whose variances make the measured cells most likely.
///
/// **Intervals.** The process claims a deviation for each prediction, and need not be right. Each
/// tenth of the measured cells is predicted from the others, with variances fitted to the others
/// alone. The interval is as many deviations wide as cover 90 % of these errors. It holds for cells
/// that are drawn like the measured ones.
///
/// - Source: Barber, Candès, Ramdas and Tibshirani, "Predictive inference with the jackknife+",
///   Annals of Statistics 49(1), 2021, for intervals by cross-validation; Papadopoulos, "Guaranteed
///   coverage prediction intervals with Gaussian process regression", IEEE Transactions on Pattern
///   Analysis and Machine Intelligence 46(12), 2024, for errors in units of the process's deviation.
struct FigurePredictor: Sendable {
  let figure: PredictedFigure
  private let fit: EffectsFit
  /// Half-width of the interval in deviations of the process.
  private let deviations: Double

  static let coverage = 0.9
  private static let folds = 10
  /// Fewest cells of which one can be predicted from the others.
  private static let leastCellsToLeaveOut = 3
  private static let assumedDeviations = 2.0
  /// Numbers to fit variances to; more take long and tell little.
  private static let mostFitted = 240
  /// Numbers to predict from.
  private static let mostObservations = 600

  /// - Throws: `Undefined` if too few cells have the figure.
  init(
    _ figure: PredictedFigure, in space: PlanSpace, from all: [EffectsFit.Observation],
    leastCells: Int
  ) throws(Undefined) {
    let count = Set(all.map(\.cell)).count
    guard count >= leastCells else {
      throw Undefined(
        .notMeasured,
        "\(count) measured cells have \(figure.metric); a prediction needs \(leastCells)")
    }
    self.figure = figure
    let fitted = Self.thinned(all, to: Self.mostFitted)
    let correlations = EffectsFit.Correlations(fitted, in: space)
    guard let first = EffectsFit(fitted, correlations, in: space),
      let deviations = count < Self.leastCellsToLeaveOut
        ? Self.assumedDeviations : Self.deviations(fitted, correlations, in: space)
    else { throw Self.unresolved }
    self.deviations = deviations
    guard fitted.count < all.count else {
      fit = first
      return
    }
    let kept = Self.thinned(all, to: Self.mostObservations)
    guard
      let whole = EffectsFit(
        kept, EffectsFit.Correlations(kept, in: space), in: space, variances: first.variances)
    else { throw Self.unresolved }
    fit = whole
  }

  private static let unresolved = Undefined(
    .unresolved, "the measured cells don't tell their effects apart")

  /// Keeps as many whole cells as make `most` numbers, evenly over all.
  private static func thinned(
    _ all: [EffectsFit.Observation], to most: Int
  ) -> [EffectsFit.Observation] {
    guard all.count > most else { return all }
    let cells = all.map(\.cell).uniqued()
    let wanted = cells.count * most / all.count
    let kept = Set((0..<wanted).map { cells[$0 * cells.count / wanted] })
    return all.filter { kept.contains($0.cell) }
  }

  /// Returns the deviations that cover 90 % of the errors of cells predicted from the others.
  private static func deviations(
    _ observations: [EffectsFit.Observation], _ correlations: EffectsFit.Correlations,
    in space: PlanSpace
  ) -> Double? {
    // A golden ratio sequence deals the cells to the parts, whatever their order in the plan.
    let cells = observations.map(\.cell).uniqued()
    let dealt = cells.indices.sorted { share(of: $0) < share(of: $1) }
    let parts = min(folds, cells.count)
    let part = Dictionary(
      uniqueKeysWithValues: dealt.enumerated().map { (cells[$1], $0 % parts) })
    let errors = Array(0..<parts).concurrentMap { number -> [Double] in
      let seen = observations.indices.filter { part[observations[$0].cell] != number }
      guard
        let fit = EffectsFit(
          seen.map { observations[$0] }, correlations.keeping(seen), in: space)
      else { return [] }
      return observations.filter { part[$0.cell] == number }.map { unseen in
        let (mean, deviation) = fit.predicted(unseen.row)
        return abs(unseen.value - mean) / deviation
      }
    }.joined().sorted()
    guard !errors.isEmpty else { return nil }
    // The rank below which a new error lies with this probability, between two of them.
    let rank = min(coverage * Double(errors.count + 1), Double(errors.count)) - 1
    let below = Int(rank)
    let above = min(below + 1, errors.count - 1)
    return errors[below] + (rank - Double(below)) * (errors[above] - errors[below])
  }

  private static func share(of index: Int) -> Double {
    (Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
  }

  /// Returns the prediction for a row.
  ///
  /// - Parameter offset: added to the process, on the figure's additive scale.
  func prediction(of row: PlanSpace.Row, voice: Int?, offset: Double) -> Prediction {
    let (mean, deviation) = fit.predicted(row)
    let (value, reach) = (mean + offset, deviations * deviation)
    // Figures that never varied would have intervals without width.
    let middle = figure.measured(value)
    let least = 0.01 * figure.tolerance.amount(of: middle)
    return Prediction(
      figure: figure, voice: voice, value: middle,
      low: min(figure.measured(value - reach), middle - least),
      high: max(figure.measured(value + reach), middle + least))
  }
}
