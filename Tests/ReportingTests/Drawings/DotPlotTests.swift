import TestSupport
import Testing

@testable import Reporting

@Suite struct DotPlotTests {
  private let plot = DotPlot(
    x: Axis("of consonants", unit: "%", including: [0, 100]), groupTitle: "class",
    lineTitle: "fate",
    groups: [
      .init(
        name: "plosives",
        lines: [
          .init(
            name: "kept", amount: 70, interval: Bounds(60, 80, meaning: "95 %"),
            singles: [65, 70, 90]),
          .init(name: "lost", amount: .undefined("no such consonant")),
        ]),
      .init(
        name: "fricatives",
        lines: [.init(name: "kept", amount: 90), .init(name: "lost", amount: 10, singles: [10])]),
    ])

  /// The place in a group determines the colour; groups have a gap between them.
  @Test func everyValueHasARowOfItsOwn() {
    let data = Dictionary(uniqueKeysWithValues: plot.data().map { ($0.name, $0.rows) })
    #expect(data["dots0"]?.map { Array($0.prefix(3)) } == [[70, 60, 80], [90, 90, 90]])
    #expect(data["dots1"]?.map { Array($0.prefix(3)) } == [[10, 10, 10]])
    #expect(data["singles0"]?.map { $0[0] } == [65, 70, 90])
    let heights = [data["dots0"]![0][3], data["dots0"]![1][3], data["dots1"]![0][3]]
    // One row down for each line, 1.2 for the name of a group.
    for (height, row) in zip(heights, [-2.2, -5.4, -6.4]) { #expect(abs(height - row) < 1e-9) }
  }

  @Test func sumsOfOthersHaveNoCountOfRecordings() {
    let plot = DotPlot(
      x: Axis("error", unit: "cents"), groupTitle: "figure", lineTitle: "system",
      groups: [.init(name: "pitch", lines: [.init(name: "mine", amount: 3)])])
    let table = plot.observations(id: "t")
    #expect(table.columns.count == 3 && table.rows[0].last == .amount(3) && table.reasons.isEmpty)
  }

  @Test func whatHasNoValueIsInTheTable() {
    let table = plot.observations(id: "t")
    #expect(table.rows.count == 4 && table.reasons.map(\.detail).contains("no such consonant"))
    #expect(table.rows[0].last == .amount(3))
  }

  @Test func namesStandBesideTheirDots() throws {
    let drawings = try drawn(
      Drawing(
        id: "dots", title: "Dots", shows: "s", omits: "", command: "c", plot: plot))
    for drawing in drawings {
      for words in ["plosives", "fricatives", "kept", "lost", "of consonants, %"] {
        #expect(drawing.contains(">\(words)<"), "\(words)")
      }
    }
  }
}
