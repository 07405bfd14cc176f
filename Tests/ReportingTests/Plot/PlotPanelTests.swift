import Testing

@testable import Reporting

@Suite struct PlotPanelTests {
  @Test func labelsWithRoomStayWhereTheyBelong() {
    #expect(PlotPanel.spread([0.9, 0.1, 0.5], apart: 0.1) == [0.9, 0.1, 0.5])
  }

  @Test func touchingLabelsShareTheShift() {
    let places = PlotPanel.spread([0.5, 0.5, 0.5], apart: 0.1)
    for (place, wanted) in zip(places, [0.4, 0.5, 0.6]) { #expect(abs(place - wanted) < 1e-9) }
  }

  /// Difficult cases: all labels at one end, more labels than fit, a group that pushes another.
  @Test(arguments: [[1, 1, 1, 0.97], Array(repeating: 0.3, count: 30), [0.5, 0.52, 0.61, 0.62]])
  func labelsNeverOverlapNorLeave(wanted: [Double]) {
    let apart = 0.08
    let places = PlotPanel.spread(wanted, apart: apart).sorted()
    let gap = min(apart, 1 / Double(wanted.count - 1))
    #expect(places[0] >= -1e-9 && places[places.count - 1] <= 1 + 1e-9)
    for (upper, lower) in zip(places.dropFirst(), places) { #expect(upper - lower >= gap - 1e-9) }
  }

  @Test func quotesCannotEndAString() {
    #expect(quoted("it's\n`rm`") == "'it''s `rm`'")
  }
}
