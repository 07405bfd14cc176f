import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Identification
import Sweep

package struct Predict: ParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Predict the cells of a plan that were not measured, from those that were.",
    discussion: """
      Use it after a run with a time limit, or an adaptive search: each cell that the store lacks \
      gets its latency, pitch error, formants, cost and missing frames, with 90 % intervals. No \
      cell is measured; --identify sounds one tone at each setting. --check predicts each tenth \
      of the measured cells from the others, and so shows how far this plan's predictions can be \
      trusted.

        choir-eval run Corpus/plans/demo.yaml --limit-seconds 20
        choir-eval predict Corpus/plans/demo.yaml
        choir-eval predict Corpus/plans/demo.yaml --only "synth-vowels-bass windowMs=20"
        choir-eval predict Corpus/plans/demo.yaml --check

      Exit codes: 0 predicted, or nothing is left to predict; 2 too few cells are measured; 64 \
      misuse.
      """)

  @Argument(help: "YAML file of the plan.", completion: .yaml) var plan: String
  @OptionGroup var places: StoreOptions
  @OptionGroup var instead: PlanSubject
  @Option(help: "Words that a cell's label must have: recording, score, subject or settings.")
  var only: String?
  @Flag(help: "Predict measured cells from the others, and compare.") var check = false
  @Flag(help: "First sound a tone at each setting, which predicts delay, pitch and cost better.")
  var identify = false
  @Flag(help: "Predict every figure that tune weighs, not only the deciding ones.") var all = false
  @Flag(help: "Print JSON.") var json = false

  package init() {}

  package func validate() throws {
    if check, only != nil {
      throw ValidationError("--check compares all measured cells; leave --only away.")
    }
  }

  package func run() throws {
    var plan = try Plan(
      reading: URL(fileURLWithPath: Installation.file(plan)), corpusFolder: places.corpusFolder)
    if let subject = instead.subject { plan = plan.with(subject: subject) }
    let corpus = try Corpus(folder: places.corpusFolder)
    let store = try ResultStore(reading: places.storeFile)
    let sweep = try Sweep(plan, corpus: corpus, store: store)
    let figures = all ? PredictedFigure.allCases : PredictedFigure.deciding
    let measured = try store.cells(
      keys: sweep.cells.map(\.key), metrics: figures.map(\.metric))
    let planned = sweep.cells.map { CellPlace($0) }
    let tones = identify ? SettingTone.all(of: sweep) : []
    if check {
      let check = PredictionCheck(
        folds: 10, of: planned, from: measured, tones: tones, figures: figures)
      guard !check.pairs.isEmpty else { throw tooFew(measured.count) }
      return print(json ? try JSON.text(check) : PredictText.text(check))
    }
    let known = Set(measured.map(\.key))
    let left = sweep.cells.filter { !known.contains($0.key) && isWanted($0) }
    guard !left.isEmpty else {
      return Terminal.write(
        "no cell of \(plan.name) is left to predict: \(measured.count) are measured\n")
    }
    let predictor = CellPredictor(
      of: planned, from: measured, tones: tones, figures: figures)
    guard predictor.undefined.count < figures.count else { throw tooFew(measured.count) }
    let cells = left.map { cell in
      PredictedCell(cell, predictor.predictions(of: CellPlace(cell)))
    }
    print(json ? try JSON.text(cells) : PredictText.text(cells, figures))
    for (figure, reason) in predictor.undefined.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      Terminal.printError("\(figure.metric) is not predicted: \(reason)")
    }
  }

  private func isWanted(_ cell: Cell) -> Bool {
    (only ?? "").split { $0 == " " || $0 == "/" }.allSatisfy { cell.label.contains($0) }
  }

  private func tooFew(_ count: Int) -> ValidationFailure {
    let run = ["run", plan] + instead.words + places.words + ["--limit-seconds", "60"]
    return ValidationFailure(
      description: "too few cells of the plan are measured to predict from (\(count)); "
        + "measure more with: choir-eval " + ShellWords.line(run))
  }

  /// Nothing can be predicted; the exit code is 2.
  private struct ValidationFailure: Error, CustomStringConvertible { let description: String }
}

/// A cell that was not measured, with its predicted figures.
struct PredictedCell: Encodable {
  var key: String
  var recording: String
  var condition: String
  var score: String
  var subject: String
  var settings: [String: String]
  /// Name of each voice of the score.
  var voices: [String]
  var predictions: [Prediction]

  init(_ cell: Cell, _ predictions: [Prediction]) {
    (key, recording, condition) = (cell.key, cell.recording.id, cell.condition.canonical)
    (score, subject) = (cell.score.id, cell.subjectID)
    settings = cell.settings.mapValues(\.description)
    (voices, self.predictions) = (cell.score.voiceLabels, predictions)
  }
}
