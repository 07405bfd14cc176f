import Foundation

/// One value over a grid of two settings, written into the cells.
struct HeatMapPlot: Sendable {
  var x: Axis
  var y: Axis
  var valueTitle: String
  var valueUnit: String
  var style: NumberStyle
  /// Settings along each axis, in order; they need not be evenly spaced.
  var xs: [Double]
  var ys: [Double]
  /// `values[row][column]` for `ys[row]` and `xs[column]`; nil where no cell was planned.
  var values: [[Amount?]]
  /// Links that play each cell, in the same order; empty without sound.
  var audioLinks: [[AudioLink?]]

  init(
    x: Axis, y: Axis, valueTitle: String, valueUnit: String, style: NumberStyle = .significant(3),
    xs: [Double], ys: [Double], values: [[Amount?]], audioLinks: [[AudioLink?]] = []
  ) {
    precondition(
      values.count == ys.count && values.allSatisfy { $0.count == xs.count },
      "values must have one row per y and one column per x")
    (self.x, self.y, self.valueTitle, self.valueUnit) = (x, y, valueTitle, valueUnit)
    (self.style, self.xs, self.ys, self.values) = (style, xs, ys, values)
    self.audioLinks = audioLinks
  }

  private struct Place {
    let column: Int
    let row: Int
    let amount: Amount
  }

  private var places: [Place] {
    values.enumerated().flatMap { row, amounts in
      amounts.enumerated().compactMap { column, amount in
        amount.map { Place(column: column, row: row, amount: $0) }
      }
    }
  }

  /// Colour levels in equal steps between the least and the greatest value.
  private func level(_ value: Double) -> Int {
    let known = places.compactMap(\.amount.value)
    guard let low = known.min(), let high = known.max(), high > low else { return 2 }
    let count = PlotPalette.levels.count
    return min(Int((value - low) / (high - low) * Double(count)), count - 1)
  }
}

extension HeatMapPlot: Plot {
  var isEmpty: Bool { !places.contains { $0.amount.value != nil } }

  func data() -> [(name: String, rows: [[Double]])] {
    let rows = places.compactMap { place in
      place.amount.value.map { value in
        let colour = PlotPalette.levels[level(value)].light.dropFirst()
        return [
          Double(place.column), Double(place.row), value, Double(Int(colour, radix: 16) ?? 0),
        ]
      }
    }
    return [("cells", rows)]
  }

  func heightPx(_ size: PlotSize) -> Double { 60 + 48 + Double(ys.count) * 38 }

  private func panel(_ size: PlotSize) -> PlotPanel {
    PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size), leftPx: 46, rightPx: 2, topPx: 60,
      bottomPx: 48)
  }

  func spots(_ size: PlotSize) -> [PlotSpot] {
    let panel = panel(size)
    return places.compactMap { place in
      guard audioLinks.indices.contains(place.row),
        audioLinks[place.row].indices.contains(place.column),
        let audioLink = audioLinks[place.row][place.column]
      else { return nil }
      let name = [(y, ys[place.row]), (x, xs[place.column])].map { axis, value in
        "\(axis.title) \(NumberStyle.setting.text(value))\(axis.unit.isEmpty ? "" : " \(axis.unit)")"
      }
      return panel.spot(
        (Double(place.column) + 0.5) / Double(xs.count),
        (Double(place.row) + 0.5) / Double(ys.count),
        name.joined(separator: ", "), audioLink)
    }
  }

  func commands(_ size: PlotSize) -> String {
    let panel = panel(size)
    let ticks = { (values: [Double]) in
      values.enumerated().map { "'\(NumberStyle.setting.text($1))' \($0)" }
        .joined(separator: ", ")
    }
    let unit = valueUnit.isEmpty ? "" : ", \(valueUnit)"
    var lines = [
      panel.commands, "unset grid",
      "set xrange [-0.5:\(Double(xs.count) - 0.5)]", "set yrange [-0.5:\(Double(ys.count) - 0.5)]",
      "set xtics (\(ticks(xs)))", "set ytics (\(ticks(ys)))",
      panel.heading(y.label),
      panel.heading("in the cells: \(valueTitle)\(unit)", row: 1, colour: PlotPalette.muted),
      panel.xTitle(x.label),
    ]
    lines += places.map { place in
      let colour = place.amount.value.map { PlotPalette.onLevel(level($0)) } ?? PlotPalette.muted
      return "set label \(quoted(style.text(place.amount))) at first \(place.column),\(place.row) "
        + "center front textcolor \(colour.gnuplot)"
    }
    let gap = size == .wide ? 0.485 : 0.475
    lines.append(
      "plot $cells using 1:2:(\(gap)):(0.47):4 with boxxyerror fillstyle solid noborder "
        + "lc rgb variable")
    return lines.joined(separator: "\n")
  }

  func observations(id: String) -> Table {
    let fields: [Table.Field<Place>] = [
      .number(y.columnName, y.title, unit: y.unit, style: .setting) { ys[$0.row] },
      .number(x.columnName, x.title, unit: x.unit, style: .setting) { xs[$0.column] },
      .amount(
        Table.Column.name(valueTitle, unit: valueUnit), valueTitle, unit: valueUnit, style: style,
        \.amount),
    ]
    return Table(id: id, title: "Numbers behind the figure", of: places, fields)
  }
}
