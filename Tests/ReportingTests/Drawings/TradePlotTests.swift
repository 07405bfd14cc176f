import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct TradePlotTests {
  private let plot = TradePlot(
    x: Axis("latency", unit: "ms", scale: .logarithmic), y: Axis("error", unit: "cents"),
    points: [
      .init(name: "short", x: 5, y: 9, role: .front),
      .init(name: "long", x: 40, y: 3, role: .default),
      .init(name: "poor", x: 20, y: 12, role: .dominated),
      .init(
        name: "best", x: 10, y: 4, xInterval: Bounds(9, 11, meaning: "95 %"), role: .recommended),
      .init(name: "nowhere", x: 0, y: 1, role: .dominated),
    ])

  @Test func stepsLeadOverThePointsThatNoneBeats() throws {
    let steps = try #require(plot.data().first { $0.name == "front" }).rows
    #expect(steps == [[5, 9], [10, 9], [10, 4], [40, 4], [40, 3]])
  }

  @Test func whatHasNoPlaceIsNotDrawnButInTheTable() throws {
    let drawn = plot.data().filter { $0.name.hasPrefix("role") }.flatMap(\.rows)
    #expect(drawn.count == 4)
    #expect(drawn.contains([10, 4, 9, 11]))
    #expect(drawn.contains([20, 12, 20, 20]))
    #expect(plot.observations(id: "t").rows.count == 5)
  }

  @Test func theTwoThatCountAreNamed() throws {
    let drawings = try drawn(
      Drawing(
        id: "trade", title: "Trade", shows: "steps", omits: "", command: "choir-eval",
        plot: plot))
    for drawing in drawings {
      #expect(drawing.contains("recommended: best") && drawing.contains("default: long"))
      #expect(!drawing.contains("poor"))
    }
  }
}
