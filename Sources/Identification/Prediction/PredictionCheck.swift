import Foundation
import Statistics
import Sweep

/// Predicted against measured figures of cells that the predictor did not see.
public struct PredictionCheck: Codable, Equatable, Sendable {
  /// One figure of one voice of one cell.
  public struct Pair: Codable, Equatable, Sendable {
    /// Key of the cell.
    public var cell: String
    public var prediction: Prediction
    public var measured: Double

    public var isWithinTolerance: Bool {
      prediction.figure.isWithinTolerance(prediction.value, of: measured)
    }
    public var isCovered: Bool { prediction.covers(measured) }
    /// Distance of the measured value beyond its interval, in widths of the interval; 0 inside it.
    public var surprise: Double {
      let beyond = max(prediction.low - measured, measured - prediction.high, 0)
      return beyond / max(prediction.high - prediction.low, 1e-12)
    }
  }

  /// The pairs of one figure, summed up.
  public struct Summary: Codable, Equatable, Sendable {
    public var figure: PredictedFigure
    public var count: Int
    /// Share of the predictions within the figure's tolerance.
    public var withinTolerance: Double
    /// Share of the measured values inside their 90 % interval.
    public var covered: Double
    /// Median distance of the prediction from the measured value.
    public var medianError: Double
  }

  public var pairs: [Pair]

  public init(pairs: [Pair]) { self.pairs = pairs }

  public init(_ predictor: CellPredictor, against measured: [CellResult]) {
    pairs = measured.flatMap { cell in
      predictor.predictions(of: CellPlace(cell)).compactMap { prediction in
        cell.value(prediction.figure.metric, voice: prediction.voice).map {
          Pair(cell: cell.key, prediction: prediction, measured: $0)
        }
      }
    }
  }

  /// Predicts one part of the measured cells from the others, drawn by the cells' keys.
  ///
  /// - Parameter share: 3 for a third of the cells.
  /// - Cost: one predictor instead of one for each part.
  public init(
    oneIn share: Int, of measured: [CellResult],
    figures: [PredictedFigure] = PredictedFigure.deciding
  ) {
    let order = measured.sorted { $0.key < $1.key }
    let unseen = order.indices.filter { $0 % share == share - 1 }.map { order[$0] }
    let seen = order.indices.filter { $0 % share != share - 1 }.map { order[$0] }
    self.init(
      CellPredictor(of: order.map { CellPlace($0) }, from: seen, figures: figures), against: unseen)
  }

  /// Predicts each of `folds` parts of the measured cells from the others.
  ///
  /// The parts are drawn by the cells' keys, so they are the same every time.
  public init(
    folds: Int, of planned: [CellPlace], from measured: [CellResult],
    tones: [SettingTone] = [], figures: [PredictedFigure] = PredictedFigure.allCases
  ) {
    let order = measured.sorted { $0.key < $1.key }
    pairs = (0..<folds).flatMap { fold in
      let unseen = order.indices.filter { $0 % folds == fold }.map { order[$0] }
      let seen = order.indices.filter { $0 % folds != fold }.map { order[$0] }
      return unseen.isEmpty
        ? []
        : PredictionCheck(
          CellPredictor(of: planned, from: seen, tones: tones, figures: figures), against: unseen
        ).pairs
    }
  }

  /// One summary for each figure that has pairs.
  public var summaries: [Summary] {
    PredictedFigure.allCases.compactMap { figure in
      let own = pairs.filter { $0.prediction.figure == figure }
      guard !own.isEmpty else { return nil }
      let count = Double(own.count)
      return Summary(
        figure: figure, count: own.count,
        withinTolerance: Double(own.count { $0.isWithinTolerance }) / count,
        covered: Double(own.count { $0.isCovered }) / count,
        medianError: Statistics.median(own.map { abs($0.prediction.value - $0.measured) })!)
    }
  }
}
