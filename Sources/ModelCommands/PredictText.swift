import CommandSupport
import Files
import Foundation
import Identification

/// Predictions for a terminal.
enum PredictText {
  static func text(_ cells: [PredictedCell], _ figures: [PredictedFigure]) -> String {
    var table = TextTable(
      header: ["cell", "voice"]
        + figures.map { "\($0.metric)\($0.unit.isEmpty ? "" : ", \($0.unit)")" })
    for cell in cells {
      let settings = cell.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let condition = cell.condition == "clean" ? [] : [cell.condition]
      let label = ([cell.recording] + condition + [cell.score, cell.subject] + settings)
        .joined(separator: " ")
      for voice in [nil] + cell.voices.indices.map(Optional.some) {
        let own = cell.predictions.filter { $0.voice == voice }
        guard !own.isEmpty else { continue }
        let words = figures.map { figure in
          own.first { $0.figure == figure }.map(interval) ?? ""
        }
        table.rows.append([label, voice.map { cell.voices[$0] } ?? "all"] + words)
      }
    }
    return table.text() + "\n\n\(counted(cells.count, "cell")), predicted with 90 % intervals."
  }

  static func text(_ check: PredictionCheck) -> String {
    var table = TextTable(header: [
      "figure", "predicted", "tolerance", "within, %", "covered by 90 % interval, %",
      "median error",
    ])
    for row in check.summaries {
      table.rows.append([
        row.figure.metric, "\(row.count)", row.figure.toleranceWords,
        fixed(100 * row.withinTolerance), fixed(100 * row.covered),
        "\(shown(row.medianError, row.figure)) \(row.figure.unit)",
      ])
    }
    return table.text()
  }

  private static func interval(_ prediction: Prediction) -> String {
    let figure = prediction.figure
    return "\(shown(prediction.value, figure)) (\(shown(prediction.low, figure)) to "
      + "\(shown(prediction.high, figure)))"
  }

  private static func shown(_ value: Double, _ figure: PredictedFigure) -> String {
    let scaled = value * figure.shownFactor
    return fixed(scaled, abs(scaled) < 1 && scaled != 0 ? 3 : 2)
  }
}
