import Foundation

/// Values as dots on one axis beside their names, with intervals as bars and single observations as
/// faint rings.
///
/// - Source: Cleveland and McGill, "Graphical Perception", 1984.
struct DotPlot: Sendable {
  /// One value.
  struct Line: Sendable {
    /// Label to the right of the value.
    var name: String
    var amount: Amount
    var interval: Bounds?
    /// Single observations whose middle is the value.
    var singles: [Double] = []
  }

  /// Values that belong together.
  struct Group: Sendable {
    /// Label above the lines.
    var name: String
    /// Lines in the same order in every group: the same place has the same colour and shape.
    var lines: [Line]
  }

  var x: Axis
  /// Quantities that distinguish the groups, such as `class`, and the lines, such as `outcome`.
  var groupTitle: String
  var lineTitle: String
  var groups: [Group]
  /// A value that all others are seen beside, as a dotted line.
  var mark: Double?

  init(x: Axis, groupTitle: String, lineTitle: String, groups: [Group], mark: Double? = nil) {
    precondition(
      groups.allSatisfy { $0.lines.count <= PlotPalette.series.count }, "more lines than colours")
    (self.x, self.groupTitle, self.lineTitle, self.groups) = (x, groupTitle, lineTitle, groups)
    self.mark = mark
  }

  /// Groups and lines from top to bottom, each at a height of its own; a group's name has the row
  /// above its first line.
  private var places: [(group: Group, line: Line, colour: Int, isFirst: Bool, y: Double)] {
    var y = 0.0
    return groups.flatMap { group in
      y -= Self.nameRows
      return group.lines.enumerated().map { index, line in
        y -= 1
        return (group, line, index, index == 0, y)
      }
    }
  }

  private static let rowPx = 19.0
  private static let nameRows = 1.2
  private static let (topPx, bottomPx) = (42.0, 48.0)
}

extension DotPlot: Plot {
  var isEmpty: Bool { !places.contains { $0.line.amount.value != nil } }

  /// Rows for each colour: x, low, high, y; and for single observations x, y.
  func data() -> [(name: String, rows: [[Double]])] {
    let colours = Set(places.map(\.colour)).sorted()
    return colours.flatMap { colour -> [(name: String, rows: [[Double]])] in
      let lines = places.filter { $0.colour == colour }
      let dots = lines.compactMap { place -> [Double]? in
        place.line.amount.value.map { value in
          [value, place.line.interval?.low ?? value, place.line.interval?.high ?? value, place.y]
        }
      }
      let singles = lines.flatMap { place in place.line.singles.map { [$0, place.y] } }
      return [("dots\(colour)", dots), ("singles\(colour)", singles)]
    }.filter { !$0.rows.isEmpty }
  }

  private var rowCount: Double { -(places.last?.y ?? -1) + 0.5 }

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + Self.bottomPx + (rowCount * Self.rowPx).rounded()
  }

  func commands(_ size: PlotSize) -> String {
    let panel = PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size),
      leftPx: 12,
      // The names may take a third, on a phone more than half.
      rightPx: min(
        PlotPanel.letterRoomPx(places.map(\.line.name)) + 18,
        size.widthPx * (size == .wide ? 1.0 / 3 : 0.55)),
      topPx: Self.topPx, bottomPx: Self.bottomPx, gridLines: "xtics noytics")
    let drawn = places.flatMap { place in
      [place.line.amount.value, place.line.interval?.low, place.line.interval?.high]
        .compactMap(\.self) + place.line.singles
    }
    let xs = x.extent(of: drawn, ticks: size == .wide ? 8 : 5)
    var lines = [
      panel.commands, panel.axis("x", xs), "set yrange [-\(rowCount):-0.5]", "unset ytics",
      panel.baseline, panel.xTitle(x.label), panel.heading(groupTitle),
      panel.labelsTitle(lineTitle),
    ]
    if let mark {
      lines.append(
        "set arrow from first \(mark), graph 0 to first \(mark), graph 1 nohead lw 1 dt 2 "
          + "lc \(PlotPalette.muted.gnuplot)")
    }
    for place in places {
      let colour = PlotPalette.letters[place.colour]
      lines.append(
        "set label \(quoted(place.line.name)) at graph 1, first \(place.y) left offset character 0.8,0 "
          + "textcolor \(colour.gnuplot)")
      if place.isFirst {
        lines.append(
          "set label \(quoted(place.group.name)) at screen 0.001, first \(place.y + 1) left front "
            + "textcolor \(PlotPalette.ink.gnuplot)")
      }
    }
    lines.append("plot \(plots.joined(separator: ", \\\n  "))")
    return lines.joined(separator: "\n")
  }

  private var plots: [String] {
    data().map(\.name).sorted { a, b in a.hasPrefix("singles") && !b.hasPrefix("singles") }
      .flatMap { name -> [String] in
        let colour = PlotPalette.series[Int(name.drop { !$0.isNumber }) ?? 0].gnuplot
        guard name.hasPrefix("dots") else {
          return ["$\(name) using 1:2 with points pt 6 ps 0.35 lc \(colour)"]
        }
        return [
          "$\(name) using 2:4:($3-$2):(0) with vectors nohead lw 2 lc \(colour)",
          "$\(name) using 1:4 with points pt 7 ps 0.7 lc \(colour)",
        ]
      }
  }

  func observations(id: String) -> Table {
    let none = "fewer than six recordings"
    var fields: [Table.Field<(group: Group, line: Line)>] = [
      .text(Table.Column.name(groupTitle, unit: ""), groupTitle) { $0.group.name },
      .text(Table.Column.name(lineTitle, unit: ""), lineTitle) { $0.line.name },
      .amount(x.columnName, x.title, unit: x.unit) { $0.line.amount },
    ]
    // Lines without recordings of their own are sums of others.
    if places.contains(where: { !$0.line.singles.isEmpty }) {
      fields += [
        .number(Table.Column.name("low", unit: x.unit), "from", unit: x.unit, otherwise: none) {
          $0.line.interval?.low
        },
        .number(Table.Column.name("high", unit: x.unit), "to", unit: x.unit, otherwise: none) {
          $0.line.interval?.high
        }, .count("recordings") { $0.line.singles.count },
      ]
    }
    return Table(
      id: id, title: "Numbers behind the figure",
      of: groups.flatMap { group in group.lines.map { (group, $0) } }, fields,
      note: places.lazy.compactMap(\.line.interval?.meaning).first.map { "From and to: \($0)." })
  }
}
