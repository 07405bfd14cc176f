import Foundation

/// A figure of several recordings before and after a change: an arrow for each, with the spread of its takes.
struct ChangePlot: Sendable {
  struct Line: Sendable {
    /// Label to the right, such as the recording.
    var name: String
    var before: Double
    var after: Double
    /// Smallest and largest of the takes; `nil` of a single one.
    var beforeTakes: ClosedRange<Double>?
    var afterTakes: ClosedRange<Double>?
  }

  var x: Axis
  var lines: [Line]

  private static let rowPx = 24.0
  private static let (topPx, bottomPx) = (42.0, 48.0)
}

extension ChangePlot: Plot {
  var isEmpty: Bool { lines.isEmpty }

  /// Rows of value, smallest and largest take, and height; for arrows both values and height.
  func data() -> [(name: String, rows: [[Double]])] {
    func dots(_ value: (Line) -> Double, _ takes: (Line) -> ClosedRange<Double>?) -> [[Double]] {
      lines.enumerated().map { row, line in
        let value = value(line)
        let takes = takes(line) ?? value...value
        return [value, takes.lowerBound, takes.upperBound, -Double(row)]
      }
    }
    return [
      ("arrows", lines.enumerated().map { [$1.before, $1.after, -Double($0)] }),
      ("before", dots(\.before, \.beforeTakes)), ("after", dots(\.after, \.afterTakes)),
    ]
  }

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + Self.bottomPx + Double(lines.count) * Self.rowPx
  }

  func commands(_ size: PlotSize) -> String {
    let panel = PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size), leftPx: 12,
      rightPx: min(
        PlotPanel.letterRoomPx(lines.map(\.name)) + 18, size.widthPx * (size == .wide ? 0.4 : 0.55)),
      topPx: Self.topPx, bottomPx: Self.bottomPx, gridLines: "xtics noytics")
    let xs = x.extent(of: data().dropFirst().flatMap { $0.rows.flatMap { $0.prefix(3) } }, ticks: 5)
    let names = lines.enumerated().map { row, line in
      "set label \(quoted(line.name)) at graph 1, first \(-row) left offset character 0.8,0 "
        + "textcolor \(PlotPalette.ink.gnuplot)"
    }
    let (grey, colour) = (PlotPalette.muted.gnuplot, PlotPalette.series[1].gnuplot)
    let plots = [
      "$arrows using 1:3:($2-$1):(0) with vectors head size screen 0.012,20 lw 1 lc \(grey)",
      "$before using 2:4:($3-$2):(0) with vectors nohead lw 3 lc \(grey)",
      "$after using 2:4:($3-$2):(0) with vectors nohead lw 3 lc \(colour)",
      "$before using 1:4 with points pt 6 ps 0.8 lc \(grey)",
      "$after using 1:4 with points pt 7 ps 0.8 lc \(colour)",
    ]
    return
      ([
        panel.commands, panel.axis("x", xs), "set yrange [\(0.5 - Double(lines.count)):0.5]",
        "unset ytics", panel.baseline, panel.xTitle(x.label),
        panel.heading("ring: before; dot: now; bar: from the lowest to the highest take"),
      ] + names + ["plot \(plots.joined(separator: ", \\\n  "))"]).joined(separator: "\n")
  }

  func observations(id: String) -> Table {
    let unit = x.unit
    return Table(
      id: id, title: "Numbers behind the figure", of: lines,
      [
        .text("recording", "recording", \.name),
        .titled("before", unit: unit) { $0.before }, .titled("now", unit: unit) { $0.after },
      ])
  }
}
