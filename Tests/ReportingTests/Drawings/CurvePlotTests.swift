import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct CurvePlotTests {
  private func plot(_ points: [CurvePlot.Point], scale: Axis.Scale = .linear) -> CurvePlot {
    CurvePlot(
      x: Axis("x", unit: "ms"), y: Axis("y", unit: "Hz", scale: scale),
      series: [.init("a", points: points)])
  }

  @Test func undefinedPointsInterruptInsteadOfFalling() {
    let data = plot([.init(1, 10), .init(2, .undefined("no")), .init(3, 30)]).data()
    #expect(data.count == 1 && data[0].rows.map { $0[1].isNaN } == [false, true, false])
  }

  @Test func zeroHasNoPlaceOnALogarithmicAxis() {
    let plot = plot([.init(1, 0), .init(2, -1)], scale: .logarithmic)
    #expect(plot.isEmpty)
  }

  @Test func theLawIsReadBetweenItsPoints() {
    let series = CurvePlot.Series("a", points: [], law: [.init(0, 0), .init(10, 5)])
    #expect(CurvePlot.law(series.law, at: 4) == 2)
    #expect(CurvePlot.law(series.law, at: 10) == 5)
    #expect(CurvePlot.law(series.law, at: 11) == nil)
  }

  @Test func aFigureWithoutNumbersIsRefused() throws {
    let folder = try TemporaryFolder()
    let empty = Drawing(
      id: "empty", title: "", shows: "", omits: "", command: "",
      plot: plot([.init(1, .undefined("no"))]))
    expectRefusal("figure empty has no number to draw") {
      try DrawingWriter().write(empty, to: folder.url)
    }
  }
}
