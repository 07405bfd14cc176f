import Foundation
import Identification
import Metrics
import Statistics
import Sweep

/// The results of all cells of a plan, where a cell that was not measured has predicted ones.
struct PredictedPlan: Sendable {
  /// Results in the order of the plan's cells.
  private(set) var results: [CellResult] = []
  /// Results at both ends of the 90 % intervals, by index of a cell that was not measured.
  private(set) var bounds: [Int: [CellResult]] = [:]

  init(
    _ cells: [Cell], _ places: [CellPlace], _ measured: [CellResult],
    tones: [SettingTone], figures: [PredictedFigure]
  ) {
    let predictor = CellPredictor(
      of: places, from: measured, tones: tones, figures: figures, certainty: .guess)
    let known = Dictionary(measured.map { ($0.key, $0) }) { first, _ in first }
    let counts = Self.counts(measured, figures)
    for (index, cell) in cells.enumerated() {
      if let own = known[cell.key] {
        results.append(own)
        continue
      }
      let predictions = predictor.predictions(of: places[index])
      func result(_ part: (Prediction) -> Double) -> CellResult {
        var byMetric: [String: [MetricResult]] = [:]
        for prediction in predictions {
          let metric = prediction.figure.metric
          byMetric[metric, default: []].append(
            MetricResult(
              voice: prediction.voice, outcome: .value(part(prediction)),
              count: counts[Place(metric, cell.recording.id)] ?? 1))
        }
        return CellResult(predicting: cell, byMetric)
      }
      results.append(result(\.value))
      bounds[index] = [result(\.low), result(\.high)]
    }
  }

  private struct Place: Hashable {
    var metric: String
    var recording: String

    init(_ metric: String, _ recording: String) {
      (self.metric, self.recording) = (metric, recording)
    }
  }

  /// The number of observations behind a figure of a recording, which hardly depends on the setting.
  private static func counts(
    _ measured: [CellResult], _ figures: [PredictedFigure]
  ) -> [Place: Int] {
    var all: [Place: [Double]] = [:]
    for cell in measured {
      for figure in figures {
        all[Place(figure.metric, cell.recording), default: []] +=
          cell.measurements(of: figure.metric).map { Double($0.count) }
      }
    }
    return all.compactMapValues { Statistics.median($0).map { Int($0) } }
  }
}
