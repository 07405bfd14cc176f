import Metrics

/// Measured series as points over the lines of their law.
struct CurvePlot: Sendable {
  struct Point: Equatable, Sendable {
    var x: Double
    var y: Amount
    var interval: Bounds?

    init(_ x: Double, _ y: Amount, interval: Bounds? = nil) {
      (self.x, self.y, self.interval) = (x, y, interval)
    }
  }

  struct Series: Sendable {
    /// Label beside the series: a few letters, such as `20 ms`.
    var name: String
    var points: [Point]
    /// Predictions of the law, dense enough to look smooth; empty without a law.
    var law: [Point]
    /// True joins the points by a line.
    var isJoined: Bool
    /// True draws single points; a dense line needs none.
    var hasMarks: Bool

    init(
      _ name: String, points: [Point], law: [Point] = [], isJoined: Bool = false,
      hasMarks: Bool = true
    ) {
      (self.name, self.points, self.law, self.isJoined) = (name, points, law, isJoined)
      self.hasMarks = hasMarks
    }
  }

  var x: Axis
  var y: Axis
  /// True puts ticks at the points if they are few: for chosen settings, not for measured values.
  var namesPlaces: Bool
  /// Quantity that distinguishes the series, such as `crossfade`.
  var seriesTitle: String
  /// Series, at most eight: further ones would repeat colours.
  var series: [Series]
  /// Law that all series share; empty if each has its own, or none.
  var sharedLaw: [Point]
  /// The law in words, such as `(window + crossfade) / 2`; `nil` if none is drawn.
  var law: String?

  init(
    x: Axis, y: Axis, seriesTitle: String = "", series: [Series], sharedLaw: [Point] = [],
    law: String? = nil, namesPlaces: Bool = true
  ) {
    precondition(series.count <= PlotPalette.series.count, "more series than colours")
    (self.x, self.y, self.seriesTitle, self.series, self.law) = (x, y, seriesTitle, series, law)
    (self.sharedLaw, self.namesPlaces) = (sharedLaw, namesPlaces)
  }
}

extension CurvePlot: Plot {
  var isEmpty: Bool { !series.contains { !drawable($0.points).isEmpty } }

  func data() -> [(name: String, rows: [[Double]])] {
    let shared = rows(sharedLaw).map { [$0[0], $0[1]] }
    return (shared.isEmpty ? [] : [("law", shared)])
      + series.enumerated().flatMap { index, series in
        let points = rows(series.points)
        let law = rows(series.law).map { [$0[0], $0[1]] }
        return [("points\(index)", points), ("law\(index)", law)].filter { !$0.1.isEmpty }
      }
  }

  /// Rows of x, y, low, high; NaN interrupts a joining line where there is nothing to draw.
  private func rows(_ points: [Point]) -> [[Double]] {
    points.filter { x.shows($0.x) }.map { point in
      guard let value = point.y.value, y.shows(value) else {
        return [point.x, .nan, .nan, .nan]
      }
      let ends = [point.interval?.low ?? value, point.interval?.high ?? value]
      return [point.x, value] + ends.map { y.shows($0) ? $0 : value }
    }
  }

  private func drawable(_ points: [Point]) -> [[Double]] { rows(points).filter { !$0[1].isNaN } }

  func heightPx(_ size: PlotSize) -> Double { size == .wide ? 380 : 320 }

  func commands(_ size: PlotSize) -> String {
    let names = series.map(\.name)
    let panel = PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size),
      rightPx: min(PlotPanel.letterRoomPx(names + [seriesTitle]) + 18, size.widthPx / 3),
      topPx: law == nil ? 42 : 60, bottomPx: 48)
    let drawn = series.flatMap { drawable($0.points) + drawable($0.law) } + drawable(sharedLaw)
    let places = Set(series.flatMap { drawable($0.points) }.map { $0[0] })
    var xExtent = x.extent(of: drawn.map { $0[0] }, ticks: size == .wide ? 8 : 5)
    if namesPlaces, places.count <= 8 {
      xExtent = xExtent.ticks(at: Array(places), apart: 36 / panel.innerWidthPx)
    }
    let yExtent = y.extent(of: drawn.flatMap { $0[1...] }, ticks: 6)

    var lines = [panel.commands, panel.axis("x", xExtent), panel.axis("y", yExtent)]
    lines += [
      panel.baseline, panel.xTitle(x.label), panel.heading(y.label),
    ]
    if let law {
      lines.append(
        panel.heading("points measured, lines \(law)", row: 1, colour: PlotPalette.muted))
    }
    lines += panel.directLabels(
      series.enumerated().compactMap { index, series in
        guard let last = drawable(series.points).max(by: { $0[0] < $1[0] }) else { return nil }
        return (series.name, PlotPalette.letters[index], yExtent.fraction(last[1]))
      })
    if !seriesTitle.isEmpty {
      lines.append(panel.labelsTitle(seriesTitle))
    }
    lines.append("plot \(plots().joined(separator: ", \\\n  "))")
    return lines.joined(separator: "\n")
  }

  /// Filled circle, square, triangle, …: distinct without colour too.
  private static let shapes = [7, 5, 9, 13, 11, 6, 4, 8]

  private func plots() -> [String] {
    let shared =
      rows(sharedLaw).isEmpty
      ? [] : ["$law with lines lw 5 lc \(PlotPalette.target.gnuplot)"]
    let laws = series.indices.filter { !rows(series[$0].law).isEmpty }.map {
      "$law\($0) with lines lw 2.5 lc \(PlotPalette.series[$0].gnuplot(transparentPercent: 55))"
    }
    let points = series.indices.filter { !rows(series[$0].points).isEmpty }.flatMap { index in
      let colour = PlotPalette.series[index].gnuplot
      let line = "$points\(index) with lines lw 1.8 lc \(colour)"
      let bars = "$points\(index) using 1:3:(0):($4-$3) with vectors nohead lw 1.5 lc \(colour)"
      let marks = "$points\(index) with points pt \(Self.shapes[index]) ps 0.65 lc \(colour)"
      return (series[index].isJoined ? [line] : []) + (series[index].hasMarks ? [bars, marks] : [])
    }
    return shared + laws + points
  }

  func observations(id: String) -> Table {
    let intervals = series.flatMap(\.points).compactMap(\.interval)
    var fields: [Table.Field<(series: Series, point: Point)>] = [
      .text("series", seriesTitle.isEmpty ? "series" : seriesTitle) { $0.series.name },
      .number(x.columnName, x.title, unit: x.unit, style: .setting) { $0.point.x },
      .amount(y.columnName, y.title, unit: y.unit) { $0.point.y },
    ]
    if !intervals.isEmpty {
      let none = "no interval"
      fields += [
        .titled("low", unit: y.unit, otherwise: none) { $0.point.interval?.low },
        .titled("high", unit: y.unit, otherwise: none) { $0.point.interval?.high },
      ]
    }
    if !sharedLaw.isEmpty || series.contains(where: { !$0.law.isEmpty }) {
      fields.append(
        .amount(Table.Column.name("law", unit: y.unit), "law", unit: y.unit) { row in
          let law = row.series.law.isEmpty ? sharedLaw : row.series.law
          return Self.law(law, at: row.point.x)
            ?? .undefined(Undefined(.noLaw, "the law says nothing here"))
        })
    }
    return Table(
      id: id, title: "Numbers behind the figure",
      of: series.flatMap { series in series.points.map { (series, $0) } }, fields,
      note: intervals.first.map { "Low and high: \($0.meaning)." })
  }
}

extension CurvePlot {
  /// Returns a law at `x` by linear interpolation; `nil` outside of its points.
  static func law(_ law: [Point], at x: Double) -> Amount? {
    if let exact = law.first(where: { $0.x == x }) { return exact.y }
    let sorted = law.sorted { $0.x < $1.x }
    guard let above = sorted.first(where: { $0.x > x }),
      let below = sorted.last(where: { $0.x < x }),
      let high = above.y.value, let low = below.y.value
    else { return nil }
    return Amount(low + (x - below.x) / (above.x - below.x) * (high - low))
  }
}
