import DSP
import Foundation
import Testing

@testable import Corpus
@testable import Identification
@testable import Metrics
@testable import Sweep

@Suite struct PredictionTests {
  private func check(_ grid: ToyGrid, seen: Int) -> PredictionCheck {
    let cells = grid.cells
    let places = cells.map { CellPlace($0) }
    let chosen = Set(BalancedOrder.indices(of: places, count: seen))
    return PredictionCheck(
      CellPredictor(
        of: places, from: chosen.sorted().map { cells[$0] }, figures: [.latency]),
      against: cells.indices.filter { !chosen.contains($0) }.map { cells[$0] })
  }

  /// A law that is a sum of settings, recordings and voices is predicted from a third of the cells.
  @Test func aSumOfEffectsIsPredicted() throws {
    let check = check(ToyGrid(), seen: 24)
    #expect(check.pairs.count == 2 * (70 - 24))
    #expect(check.pairs.allSatisfy { abs($0.prediction.value - $0.measured) < 0.25 })
  }

  /// No cell has a window of 30 ms; the others lie on a line.
  @Test func aSettingThatNobodyMeasuredIsInterpolated() throws {
    let cells = ToyGrid().cells
    let seen = cells.filter { $0.settings["windowMs"] != .number(30) }
    let predictor = CellPredictor(of: cells.map { CellPlace($0) }, from: seen)
    let unseen = try #require(cells.first { $0.settings["windowMs"] == .number(30) })
    let prediction = try #require(
      predictor.prediction(.latency, of: CellPlace(unseen), voice: 1))
    #expect(abs(prediction.value - 15.5) < 0.5)
    #expect(prediction.covers(15.5))
  }

  /// Noise of 1 ms that nothing explains: over many grids, nine of ten intervals hold the value. The
  /// standard error of the mean of 20 grids is about a fiftieth.
  @Test func intervalsCoverNineOfTen() {
    let pairs = (1...20).flatMap { seed in
      check(ToyGrid(noiseMs: 1, seed: UInt64(seed)), seen: 30).pairs
    }
    let covered = Double(pairs.count { $0.isCovered }) / Double(pairs.count)
    #expect((0.85...0.95).contains(covered), "\(covered)")
    // Known exactly, the law would leave 1.645 deviations to either side.
    let width =
      pairs.reduce(0) { $0 + $1.prediction.high - $1.prediction.low }
      / Double(pairs.count)
    #expect((2.8...5).contains(width), "\(width)")
  }

  @Test func fewCellsPredictNothingAndSayWhy() throws {
    let cells = ToyGrid().cells
    let predictor = CellPredictor(
      of: cells.map { CellPlace($0) }, from: Array(cells.prefix(8)), figures: [.latency, .cost])
    #expect(predictor.predictions(of: CellPlace(cells[20])).isEmpty)
    #expect(
      predictor.undefined[.latency]?.detail
        == "8 measured cells have latency.onset; a prediction needs 9")
    #expect(predictor.undefined[.cost]?.detail.hasPrefix("0 measured cells") == true)
  }

  /// Nothing reads the latency of r3, so nothing predicts it there.
  @Test func aFigureThatARecordingLacksIsNotPredicted() throws {
    let cells = ToyGrid().cells.map { cell in
      cell.recording == "r3"
        ? ToyGrid.cell("r3", cell.settings["windowMs"]!.number!, [nil, nil]) : cell
    }
    let predictor = CellPredictor(of: cells.map { CellPlace($0) }, from: cells)
    func predictions(_ recording: String) -> [Prediction] {
      predictor.predictions(of: CellPlace(cells.first { $0.recording == recording }!))
    }
    #expect(predictions("r3").isEmpty)
    #expect(predictions("r4").count == 2)
  }

  @Test func aProbeHasNoFiguresOfAVoice() throws {
    let cells = ToyGrid().cells
    let predictor = CellPredictor(of: cells.map { CellPlace($0) }, from: cells)
    var place = CellPlace(cells[0])
    #expect(predictor.predictions(of: place).map(\.figure) == [.latency, .latency])
    place.isProbe = true
    #expect(predictor.predictions(of: place).isEmpty)
  }

  /// After as many cells as there are recordings, each was taken once; no setting has two cells more
  /// than another.
  @Test func anyPrefixIsBalanced() {
    let places = ToyGrid().cells.map { CellPlace($0) }
    for count in [10, 20, 30] {
      let chosen = BalancedOrder.indices(of: places, count: count).map { places[$0] }
      let recordings = Dictionary(grouping: chosen, by: \.recording).mapValues(\.count)
      let settings = Dictionary(grouping: chosen, by: \.settings).mapValues(\.count)
      #expect(Set(recordings.values) == [count / 10], "\(recordings)")
      #expect(settings.count == 7 && settings.values.max()! - settings.values.min()! <= 1)
    }
    let first = BalancedOrder.indices(of: places, count: 12)
    let more = BalancedOrder.indices(of: places, count: 5, after: first)
    #expect(Set(first).isDisjoint(with: more))
  }

  @Test(arguments: PredictedFigure.allCases)
  func aFigureComesBackFromItsScale(figure: PredictedFigure) throws {
    for value in [0.02, 0.5, 0.97] {
      let additive = try #require(figure.additive(value))
      #expect(abs(figure.measured(additive) - value) < 1e-12)
    }
    #expect(figure.isWithinTolerance(1, of: 1))
  }

  @Test func tolerancesAreThoseOfTheDocumentation() {
    #expect(PredictedFigure.latency.isWithinTolerance(20.5, of: 20))
    #expect(!PredictedFigure.latency.isWithinTolerance(20.51, of: 20))
    #expect(PredictedFigure.cost.isWithinTolerance(0.0109, of: 0.01))
    #expect(!PredictedFigure.cost.isWithinTolerance(0.0089, of: 0.01))
  }
}

@Suite struct VarianceComponentsTests {
  @Test func anInverseTimesItsMatrixIsOne() throws {
    let matrix = CovarianceMatrix(count: 5) { $0 == $1 ? 3 : 1 / Double(1 + $0 + $1) }
    let (inverse, logDeterminant) = try #require(matrix.inverse())
    for row in 0..<5 {
      let unit = (0..<5).map { $0 == row ? 1.0 : 0 }
      let back = matrix.times(inverse.times(unit))
      #expect(zip(back, unit).allSatisfy { abs($0 - $1) < 1e-12 })
    }
    let two = CovarianceMatrix(count: 2) { $0 == $1 ? 2 : 1 }
    #expect(abs(try #require(two.inverse()).logDeterminant - log(3)) < 1e-12)
    #expect(logDeterminant.isFinite)
    #expect(CovarianceMatrix(count: 2) { _, _ in 1 }.inverse() == nil)
  }

  /// 40 groups of 5 values: groups of variance 4, noise of variance 1. The estimate of a variance
  /// from 40 groups errs by about a quarter of it.
  @Test func variancesAreFoundAndTheLikelihoodNeverFalls() throws {
    var random = SeededGenerator(seed: 3)
    func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() } }
    let groups = (0..<40).map { _ in 2 * normal() }
    let values = (0..<200).map { groups[$0 / 5] + normal() }
    let fit = try #require(
      VarianceComponents(
        of: values,
        correlations: [
          CovarianceMatrix(count: 200) { $0 / 5 == $1 / 5 ? 1 : 0 },
          CovarianceMatrix(count: 200) { $0 == $1 ? 1 : 0 },
        ], fixed: [:], rounds: 60))
    #expect((2.2...6.5).contains(fit.variances[0]), "\(fit.variances)")
    #expect((0.7...1.35).contains(fit.variances[1]), "\(fit.variances)")
    #expect(zip(fit.logLikelihoods, fit.logLikelihoods.dropFirst()).allSatisfy { $1 >= $0 - 1e-6 })
  }
}
