import Files
import Foundation
import Metrics
import Sweep

/// Predicts the figures of the cells of a plan that were not measured.
public struct CellPredictor: Sendable {
  /// Figures that can't be predicted, with the reason.
  public private(set) var undefined: [PredictedFigure: Undefined] = [:]
  /// Number of measured cells.
  public let measuredCells: Int
  private var predictors: [PredictedFigure: (space: PlanSpace, predictor: FigurePredictor)] = [:]
  /// Voices of each score that have a figure.
  private var voices: [PredictedFigure: [String: Set<Int?>]] = [:]
  /// Share of the measured cells of a recording in which a voice has the figure.
  private var defined: [PredictedFigure: [VoiceOfRecording: (known: Int, all: Int)]] = [:]

  /// Suggestions of the tones, for figures that are predicted by their difference from them.
  private var offsets: [PredictedFigure: [CellPlace.Choice: Double]] = [:]

  private struct VoiceOfRecording: Hashable {
    var recording: String
    var score: String
    var voice: Int?
  }

  /// - Parameters:
  ///   - planned: all cells of the plan.
  ///   - measured: those that were measured; failed ones tell nothing.
  ///   - tones: what a tone told of the settings; without them, cells alone predict.
  ///   - certainty: fewest cells from which a figure is predicted.
  public init(
    of planned: [CellPlace], from measured: [CellResult], tones: [SettingTone] = [],
    figures: [PredictedFigure] = PredictedFigure.allCases, certainty: Certainty = .calibrated
  ) {
    let cells = measured.filter { if case .measured = $0.outcome { true } else { false } }
    measuredCells = cells.count
    for figure in figures { learn(figure, planned, cells, tones, certainty) }
  }

  private mutating func learn(
    _ figure: PredictedFigure, _ planned: [CellPlace], _ cells: [CellResult],
    _ tones: [SettingTone], _ certainty: Certainty
  ) {
    let suggestions = Dictionary(
      tones.compactMap { tone in tone.suggestion(for: figure).map { (tone.choice, $0) } }
    ) { first, _ in first }
    var known: [(place: CellPlace, cell: Int, voice: Int?, value: Double)] = []
    for (index, cell) in cells.enumerated() {
      let place = CellPlace(cell)
      for result in cell.measurements(of: figure.metric) {
        let key = VoiceOfRecording(
          recording: place.recording, score: place.score, voice: result.voice)
        defined[figure, default: [:]][key, default: (0, 0)].all += 1
        guard case .value(let value) = result.outcome, let additive = figure.additive(value)
        else { continue }
        defined[figure]![key]!.known += 1
        voices[figure, default: [:]][place.score, default: []].insert(result.voice)
        known.append((place, index, result.voice, additive))
      }
    }
    // Too few cells to fit how a delay follows the tone's: it is the tone's and a constant.
    let isLate = figure == .latency || figure == .impulseLatency
    if certainty == .guess, isLate, Set(known.map(\.cell)).count < Certainty.calibrated.leastCells,
      planned.allSatisfy({ suggestions[$0.choice] != nil })
    {
      offsets[figure] = suggestions
      for index in known.indices { known[index].value -= suggestions[known[index].place.choice]! }
    }
    let space = PlanSpace(
      planned, voicesOfScores: voices[figure] ?? [:], suggestions: suggestions)
    let observations = known.compactMap { place, cell, voice, value in
      space.row(place, voice: voice).map {
        EffectsFit.Observation(row: $0, cell: cell, value: value)
      }
    }
    do throws(Undefined) {
      predictors[figure] = (
        space,
        try FigurePredictor(
          figure, in: space, from: observations,
          leastCells: certainty.leastCells)
      )
    } catch { undefined[figure] = error }
  }

  /// Returns the prediction of a figure; `nil` if the figure can't be predicted, or is mostly
  /// undefined on that recording.
  public func prediction(
    _ figure: PredictedFigure, of place: CellPlace, voice: Int?
  ) -> Prediction? {
    guard figure.applies(to: place), let (space, predictor) = predictors[figure],
      let row = space.row(place, voice: voice)
    else { return nil }
    let key = VoiceOfRecording(recording: place.recording, score: place.score, voice: voice)
    if let (known, all) = defined[figure]?[key], 2 * known < all { return nil }
    return predictor.prediction(
      of: row, voice: voice, offset: offsets[figure]?[place.choice] ?? 0)
  }

  /// Returns all predictions of a cell, by figure and voice.
  public func predictions(of place: CellPlace) -> [Prediction] {
    PredictedFigure.allCases.flatMap { figure in
      (voices[figure]?[place.score] ?? []).sorted { ($0 ?? -1) < ($1 ?? -1) }
        .compactMap { prediction(figure, of: place, voice: $0) }
    }
  }
}
