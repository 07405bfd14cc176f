import Testing

@testable import Reporting

@Suite struct AxisTests {
  @Test func linearTicksAreRoundAndTheRangeHoldsTheData() {
    let extent = AxisExtent.linear(0, 82, ticks: 6)
    #expect(extent.ticks == [0, 20, 40, 60, 80])
    #expect(extent.low == 0 && extent.high >= 82)
  }

  @Test func tenthsStayTenths() {
    #expect(AxisExtent.linear(0, 0.5, ticks: 6).ticks == [0, 0.1, 0.2, 0.3, 0.4, 0.5])
  }

  @Test func logarithmicTicks() {
    #expect(AxisExtent.logarithmic(10, 1000, ticks: 6).ticks == [10, 20, 50, 100, 200, 500, 1000])
    #expect(AxisExtent.logarithmic(270, 430, ticks: 5).ticks == [300, 350, 400])
  }

  @Test(arguments: [Axis.Scale.linear, .logarithmic])
  func nothingAndASingleValueHaveARange(scale: Axis.Scale) {
    let axis = Axis("x", unit: "", scale: scale)
    for values in [[], [5.0], [5, .nan], [-1, 0, .infinity]] {
      let extent = axis.extent(of: values, ticks: 5)
      #expect(extent.low < extent.high && extent.low.isFinite && extent.high.isFinite)
    }
  }

  @Test func theMiddleOfALogarithmicAxisIsTheGeometricMean() {
    let extent = AxisExtent(low: 10, high: 1000, ticks: [], isLogarithmic: true)
    #expect(abs(extent.fraction(100) - 0.5) < 1e-12)  // rounding of two logarithms
  }

  @Test func crowdedTicksGiveWay() {
    let extent = AxisExtent(low: 0, high: 100, ticks: [], isLogarithmic: false)
    #expect(extent.ticks(at: [50, 10, 12, 200], apart: 0.05).ticks == [10, 50])
  }
}
