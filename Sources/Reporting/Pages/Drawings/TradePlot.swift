import Foundation

/// The trade-off between two axes: a point for each setting, with the interval of x, and
/// the front of settings that no other dominates.
struct TradePlot: Sendable {
  /// The role of a setting.
  enum Role: Int, Sendable, Comparable {
    /// Dominated by another setting.
    case dominated
    /// Member of the front.
    case front
    /// The subject's default.
    case `default`
    /// The recommended setting.
    case recommended

    static func < (a: Role, b: Role) -> Bool { a.rawValue < b.rawValue }
  }

  struct Point: Sendable {
    /// The setting in words.
    var name: String
    var x: Double
    var y: Double
    var xInterval: Bounds?
    var role: Role
    /// Link that plays the setting.
    var audioLink: AudioLink?
  }

  var x: Axis
  var y: Axis
  var points: [Point]
}

extension TradePlot: Plot {
  var isEmpty: Bool { drawn.isEmpty }

  private var drawn: [Point] { points.filter { x.shows($0.x) && y.shows($0.y) } }

  private static let roles: [Role] = [.dominated, .front, .default, .recommended]

  func data() -> [(name: String, rows: [[Double]])] {
    var data = Self.roles.map { role in
      ("role\(role.rawValue)", drawn.filter { $0.role == role }.map(row))
    }
    data.append(("front", staircase))
    return data.filter { !$0.1.isEmpty }
  }

  /// Row of x, y, then the ends of the interval of x.
  private func row(_ point: Point) -> [Double] {
    [point.x, point.y]
      + [point.xInterval?.low, point.xInterval?.high].map { end in
        end.map { x.shows($0) ? $0 : point.x } ?? point.x
      }
  }

  /// The front of the two axes drawn, as steps from point to point.
  private var staircase: [[Double]] {
    var steps: [[Double]] = []
    for point in drawn.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
      if let last = steps.last, point.y >= last[1] { continue }
      if let last = steps.last { steps.append([point.x, last[1]]) }
      steps.append([point.x, point.y])
    }
    return steps
  }

  func heightPx(_ size: PlotSize) -> Double { size == .wide ? 400 : 340 }

  func commands(_ size: PlotSize) -> String {
    let (panel, xs, ys) = layout(size)
    var lines = [
      panel.commands, panel.axis("x", xs), panel.axis("y", ys), panel.baseline,
      panel.xTitle(x.label), panel.heading(y.label),
    ]
    if drawn.contains(where: { [.front, .recommended].contains($0.role) }) {
      lines.append(
        panel.heading(
          "filled: no other is better in all; bars: 95 % intervals", row: 1,
          colour: PlotPalette.muted))
    }
    lines += drawn.filter { $0.role >= .default }.map { label($0, panel, xs, ys) }
    if size == .wide {
      lines += ends.map { label($0.point, as: $0.word, colour: PlotPalette.muted, panel, xs, ys) }
    }
    lines.append("plot \(plots.joined(separator: ", \\\n  "))")
    return lines.joined(separator: "\n")
  }

  private func layout(_ size: PlotSize) -> (panel: PlotPanel, xs: AxisExtent, ys: AxisExtent) {
    let panel = PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size), rightPx: 20, topPx: 60, bottomPx: 48)
    let rows = drawn.map(row)
    let barred = drawn.filter { $0.role != .dominated }.map(row)
    let xs = x.extent(
      of: rows.map { $0[0] } + barred.flatMap { $0[2...3] }, ticks: size == .wide ? 8 : 5)
    let ys = y.extent(of: rows.map { $0[1] }, ticks: 6)
    return (panel, xs, ys)
  }

  /// Places that play a setting; the recommended one and the default have priority.
  func spots(_ size: PlotSize) -> [PlotSpot] {
    let (panel, xs, ys) = layout(size)
    return drawn.sorted { $0.role > $1.role }.compactMap { point in
      point.audioLink.map {
        panel.spot(xs.fraction(point.x), ys.fraction(point.y), point.name, $0)
      }
    }
  }

  /// The ends of the front, where they are not labelled for another reason.
  private var ends: [(point: Point, word: String)] {
    let front = drawn.filter { [.front, .recommended, .default].contains($0.role) }
    guard let first = front.min(by: { ($0.x, $0.y) < ($1.x, $1.y) }),
      let lowest = front.min(by: { ($0.y, $0.x) < ($1.y, $1.x) })
    else { return [] }
    // The front lies above its lowest point, and below the first.
    return [(first, "least \(x.title)"), (lowest, "least \(y.title)")]
      .filter { $0.point.role == .front }
  }

  private func label(
    _ point: Point, _ panel: PlotPanel, _ xs: AxisExtent, _ ys: AxisExtent
  ) -> String {
    label(
      point, as: point.role == .recommended ? "recommended" : "default",
      colour: PlotPalette.letters[point.role == .recommended ? 1 : 2], panel, xs, ys)
  }

  /// Label beside the point, on the side with room.
  private func label(
    _ point: Point, as role: String, colour: PlotColour, _ panel: PlotPanel, _ xs: AxisExtent,
    _ ys: AxisExtent
  ) -> String {
    let text = point.name.isEmpty ? role : "\(role): \(point.name)"
    let isRight = xs.fraction(point.x) < 0.5
    let isLowest = point.y == drawn.map(\.y).min()
    let isAbove = ys.fraction(point.y) < 0.85 && (!isLowest || ys.fraction(point.y) < 0.15)
    return "set label \(quoted(text)) at first \(point.x),\(point.y) \(isRight ? "left" : "right") "
      + "offset character \(isRight ? 0.8 : -0.8),\(isAbove ? 0.8 : -0.8) front "
      + "textcolor \(colour.gnuplot)"
  }

  private var plots: [String] {
    let front =
      staircase.count > 1
      ? [
        "$front using 1:2 with lines lw 2 lc "
          + PlotPalette.series[0].gnuplot(transparentPercent: 55)
      ] : []
    return front
      + Self.roles.filter { role in drawn.contains { $0.role == role } }.flatMap { role in
        let (colour, shape, size): (String, Int, Double) =
          switch role {
          case .dominated: (PlotPalette.axis.gnuplot, 6, 0.5)
          case .front: (PlotPalette.series[0].gnuplot, 7, 0.65)
          case .default: (PlotPalette.series[2].gnuplot, 5, 0.8)
          case .recommended: (PlotPalette.series[1].gnuplot, 13, 1.2)
          }
        let data = "$role\(role.rawValue)"
        let bars =
          role == .dominated
          ? []
          : ["\(data) using 3:2:($4-$3):(0) with vectors nohead lw 1.2 lc \(colour)"]
        return bars + ["\(data) using 1:2 with points pt \(shape) ps \(size) lc \(colour)"]
      }
  }

  func observations(id: String) -> Table {
    let none = "no interval"
    let fields: [Table.Field<Point>] = [
      .text("setting", "setting", \.name), .text("role", "role", \.role.words),
      .number(x.columnName, x.title, unit: x.unit) { $0.x },
      .number("x_low", "from", unit: x.unit, otherwise: none) { $0.xInterval?.low },
      .number("x_high", "to", unit: x.unit, otherwise: none) { $0.xInterval?.high },
      .number(y.columnName, y.title, unit: y.unit) { $0.y },
    ]
    return Table(id: id, title: "Numbers behind the figure", of: points, fields)
  }
}

extension TradePlot.Role {
  var words: String {
    switch self {
    case .dominated: "dominated"
    case .front: "on the front"
    case .default: "default"
    case .recommended: "recommended"
    }
  }
}
