import Foundation
import TestSupport
import Testing

@testable import Pages
@testable import Reporting

@Suite struct CurveFigureTests {
  private func figure(_ points: [CurveFigure.Point], scale: Axis.Scale = .linear) -> CurveFigure {
    CurveFigure(
      x: Axis("x", unit: "ms"), y: Axis("y", unit: "Hz", scale: scale),
      series: [.init("a", points: points)])
  }

  @Test func undefinedPointsInterruptInsteadOfFalling() {
    let data = figure([.init(1, 10), .init(2, .undefined("no")), .init(3, 30)]).data()
    #expect(data.count == 1 && data[0].rows.map { $0[1].isNaN } == [false, true, false])
  }

  @Test func zeroHasNoPlaceOnALogarithmicAxis() {
    let figure = figure([.init(1, 0), .init(2, -1)], scale: .logarithmic)
    #expect(figure.isEmpty)
  }

  @Test func theLawIsReadBetweenItsPoints() {
    let series = CurveFigure.Series("a", points: [], law: [.init(0, 0), .init(10, 5)])
    #expect(CurveFigure.law(series.law, at: 4) == 2)
    #expect(CurveFigure.law(series.law, at: 10) == 5)
    #expect(CurveFigure.law(series.law, at: 11) == nil)
  }

  @Test func aFigureWithoutNumbersIsRefused() throws {
    let folder = try TemporaryFolder()
    let empty = Figure(
      id: "empty", title: "", shows: "", omits: "", command: "",
      drawing: .curve(figure([.init(1, .undefined("no"))])))
    #expect(throws: PlotError.nothingToDraw("empty")) {
      try FigureWriter().write(empty, to: folder.url)
    }
  }
}
