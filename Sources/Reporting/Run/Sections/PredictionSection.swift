import Corpus
import Identification
import Pages
import Subjects
import Sweep
import Tuning

/// Predicted beside measured figures: a third of the cells, and cells that were not measured.
struct PredictionSection {
  let facts: RunFacts
  /// Page and row of each cell.
  let addresses: CellAddresses

  private static let figures = PredictedFigure.deciding
  /// Largest number of dots in a readable figure.
  private static let mostDots = 200
  /// Largest number of cells that are predicted, those of the recommended setting first.
  private static let mostUnmeasured = 200

  func section() throws -> Section? {
    let measured = facts.run.cells.filter { if case .measured = $0.outcome { true } else { false } }
    guard !measured.isEmpty else { return nil }
    let check = PredictionCheck(oneIn: 3, of: measured, figures: Self.figures)
    let unmeasured = try unmeasuredTable(from: measured)
    guard !check.pairs.isEmpty || unmeasured?.rows.isEmpty == false else {
      return Section(
        id: "predictions", title: "Predicted and measured",
        intro:
          "\(count(measured.count, "measured cell")) can't predict others: a figure needs nine "
          + "cells beside those that are predicted.")
    }
    let known = Dictionary(uniqueKeysWithValues: measured.map { ($0.key, $0) })
    let intro =
      "Every third cell, in the order of the cells' keys, is predicted from the others: a sum of effects "
      + "of recording, voice and settings, with 90 % intervals. Where predictions hold, cells need not be "
      + "measured; what lies far outside its interval is worth a listen."
    return Section(
      id: "predictions", title: "Predicted and measured", intro: intro,
      drawings: [PredictedFigure.pitch, .cost].compactMap { drawing($0, check) },
      tables: [summary(check), surprises(check, known), unmeasured].compactMap(\.self)
        .filter { !$0.rows.isEmpty })
  }

  // MARK: Drawing

  private func drawing(_ figure: PredictedFigure, _ check: PredictionCheck) -> Drawing? {
    let pairs = check.pairs.filter { $0.prediction.figure == figure }
    guard pairs.count > 1 else { return nil }
    func shown(_ value: Double) -> Double { value * figure.shownFactor }
    let points = pairs.prefix(Self.mostDots).map { pair in
      CurvePlot.Point(
        shown(pair.measured), Amount(shown(pair.prediction.value)),
        interval: Bounds(
          shown(pair.prediction.low), shown(pair.prediction.high), meaning: "90 % interval"))
    }.sorted { $0.x < $1.x }
    let axis = { Axis($0, unit: figure.unit, scale: .logarithmic) }
    var plot = CurvePlot(
      x: axis("measured"), y: axis("predicted"), series: [CurvePlot.Series("", points: points)],
      sharedLaw: [points.first!.x, points.last!.x].map { CurvePlot.Point($0, Amount($0)) },
      law: "where both are equal")
    plot.namesPlaces = false
    return Drawing(
      id: "predicted-\(figure)", title: "\(figure.metric), predicted and measured",
      shows:
        "A dot is one voice of one cell that the prediction did not see; bars are 90 % intervals.",
      omits: pairs.count > points.count ? "\(pairs.count - points.count) more voices." : "",
      command: facts.command, plot: .curve(plot))
  }

  // MARK: Tables

  private func summary(_ check: PredictionCheck) -> Table {
    let rows: [[Table.Cell]] = check.summaries.map { row in
      [
        .text(row.figure.metric), .amount(Amount(Double(row.count))),
        .text(row.figure.toleranceWords), .amount(Amount(100 * row.withinTolerance)),
        .amount(Amount(100 * row.covered)),
        .amount(Amount(row.medianError * row.figure.shownFactor)), .text(row.figure.unit),
      ]
    }
    return Table(
      id: "predicted-figures", title: "How well a third of the cells is predicted",
      columns: [
        .text("metric", "metric"), .number("voices", "voices", style: .decimals(0)),
        .text("tolerance", "tolerance"),
        .number("within_percent", "within it", unit: "%", style: .decimals(0)),
        .number("covered_percent", "inside the interval", unit: "%", style: .decimals(0)),
        .number("median_error", "median error"), .text("unit", "unit"),
      ], rows: rows, note: "90 % of the measured values should lie inside their intervals.")
  }

  private func surprises(_ check: PredictionCheck, _ known: [String: CellResult]) -> Table {
    let found = check.pairs.filter { $0.surprise > 0 }
      .sorted { ($1.surprise, $0.cell) < ($0.surprise, $1.cell) }
    let rows: [[Table.Cell]] = found.compactMap { pair in
      known[pair.cell].map { cell in
        let name = Table.Cell.text(cell.recording)
        let factor = pair.prediction.figure.shownFactor
        return [
          addresses[cell.key].map { .linked(name, to: $0) } ?? name,
          .text(facts.text(SettingChoice(cell))),
          .text(voice(pair.prediction.voice, of: cell.score)),
          .text(pair.prediction.figure.metric), .amount(Amount(pair.measured * factor)),
          .amount(Amount(pair.prediction.value * factor)),
          .amount(Amount(pair.prediction.low * factor)),
          .amount(Amount(pair.prediction.high * factor)), .text(pair.prediction.figure.unit),
        ]
      }
    }
    var table = Table(
      id: "surprises", title: "Cells outside their interval",
      columns: Self.cellColumns(measured: true),
      rows: rows,
      note:
        "Those furthest outside come first. One in ten lies outside by chance. The name links to "
        + "the cell.")
    table.mostShown = 20
    return table
  }

  /// The predicted figures of cells that were not measured, at the recommended setting first.
  private func unmeasuredTable(from measured: [CellResult]) throws -> Table? {
    guard !facts.recommendation.isWhole else { return nil }
    let planned = try Sweep(facts.run.plan, corpus: facts.corpus, store: facts.store).cells
    // The keys are those of the build that measured.
    let known = Set(measured.map { CellPlace($0) })
    let predictor = CellPredictor(
      of: planned.map { CellPlace($0) }, from: measured, figures: Self.figures)
    let choice = facts.choice
    let left = planned.filter { !known.contains(CellPlace($0)) }.map { cell in
      (cell, SettingChoice(subject: cell.subjectID, settings: cell.settings))
    }
    let ordered = left.filter { $0.1 == choice } + left.filter { $0.1 != choice }
    let rows: [[Table.Cell]] = ordered.prefix(Self.mostUnmeasured).flatMap { cell, setting in
      predictor.predictions(of: CellPlace(cell)).map { prediction in
        let factor = prediction.figure.shownFactor
        return [
          .text(cell.recording.id), .text(facts.text(setting)),
          .text(voice(prediction.voice, of: cell.score)), .text(prediction.figure.metric),
          .amount(Amount(prediction.value * factor)), .amount(Amount(prediction.low * factor)),
          .amount(Amount(prediction.high * factor)), .text(prediction.figure.unit),
        ]
      }
    }
    return Table(
      id: "unmeasured", title: "Cells that were not measured, as predicted",
      columns: Self.cellColumns(measured: false), rows: rows,
      note: "The recommended setting comes first. Limits are those of 90 % intervals. "
        + "\(min(ordered.count, Self.mostUnmeasured)) of \(count(ordered.count, "cell")) are predicted; "
        + "choir-eval predict has all.")
  }

  private static func cellColumns(measured: Bool) -> [Table.Column] {
    let first: [Table.Column] = [
      .text("recording", "recording"), .text("setting", "setting"), .text("voice", "voice"),
      .text("metric", "metric"),
    ]
    let last: [Table.Column] = [
      .number("predicted", "predicted"), .number("low", "from"), .number("high", "to"),
      .text("unit", "unit"),
    ]
    return first + (measured ? [.number("measured", "measured")] : []) + last
  }

  private func voice(_ index: Int?, of score: Score) -> String {
    index.map { score.voiceLabels[$0] } ?? "all"
  }
}
