import Foundation

/// The sizes of every figure, in CSS pixels.
enum PlotSize: CaseIterable {
  case wide, narrow

  var widthPx: Double { self == .wide ? 760 : 360 }
  var suffix: String { self == .wide ? "" : "-narrow" }
}

/// A pair of axes with explicit margins, so that labels can be placed from Swift.
struct PlotPanel {
  let widthPx: Double
  /// Height of the whole drawing.
  let heightPx: Double
  var leftPx = 52.0
  var rightPx = 12.0
  var topPx: Double
  var bottomPx: Double
  /// Ticks that extend across the panel.
  var gridLines = "ytics"

  /// Height of the axes themselves.
  var innerHeightPx: Double { heightPx - topPx - bottomPx }
  var innerWidthPx: Double { widthPx - leftPx - rightPx }

  /// Width of the longest label at 13 px.
  static func letterRoomPx(_ texts: [String]) -> Double {
    Double(texts.map(\.count).max() ?? 0) * 7.2
  }

  /// Commands that begin a file of the given size.
  static func terminal(widthPx: Double, heightPx: Double, output: String) -> String {
    """
    set terminal svg size \(Int(widthPx)),\(Int(heightPx)) noenhanced dynamic standalone font 'sans-serif,13'
    set output '\(output)'
    """
  }

  /// Commands for the margins and the style that all axes share.
  var commands: String {
    """
    set lmargin at screen \(fixed(leftPx / widthPx))
    set rmargin at screen \(fixed(1 - rightPx / widthPx))
    set tmargin at screen \(fixed(1 - topPx / heightPx))
    set bmargin at screen \(fixed(bottomPx / heightPx))
    set border 0
    unset key
    unset label
    unset arrow
    unset object
    unset logscale
    set tics scale 0 textcolor \(PlotPalette.muted.gnuplot)
    set grid \(gridLines) lt 1 lw 1 lc \(PlotPalette.grid.gnuplot)
    """
  }

  /// Commands for range, ticks and scale of one axis.
  func axis(_ name: Character, _ extent: AxisExtent, isNamed: Bool = true) -> String {
    """
    set \(name)range [\(extent.low):\(extent.high)]
    set \(name)tics (\(extent.gnuplotTicks(isNamed: isNamed)))
    \(extent.isLogarithmic ? "set logscale \(name)" : "")
    """
  }

  /// Command for a line at the lower edge of the panel.
  var baseline: String {
    "set arrow from graph 0,0 to graph 1,0 nohead lw 1 lc \(PlotPalette.axis.gnuplot)"
  }

  /// Text above the panel, at the drawing's left edge: the title of the y axis in row 0, the meaning of
  /// the marks in row 1 above it.
  func heading(_ text: String, row: Double = 0, colour: PlotColour = PlotPalette.ink) -> String {
    let yPx = topPx - 22 - row * 18
    return "set label \(quoted(text)) at screen 0.001,\(fixed(1 - yPx / heightPx)) left "
      + "textcolor \(colour.gnuplot)"
  }

  /// Text above the direct labels, level with row 0 of the headings.
  func labelsTitle(_ text: String) -> String {
    "set label \(quoted(text)) at graph 1, screen \(fixed(1 - (topPx - 22) / heightPx)) left "
      + "offset character 0.8,0 textcolor \(PlotPalette.muted.gnuplot)"
  }

  /// A place to press, at these shares of the axes from the lower left corner.
  func spot(_ x: Double, _ y: Double, _ title: String, _ audioLink: AudioLink) -> PlotSpot {
    PlotSpot(
      xPx: leftPx + x * innerWidthPx, yPx: topPx + (1 - y) * innerHeightPx, title: title,
      audioLink: audioLink)
  }

  /// The title of the x axis, below its middle.
  func xTitle(_ text: String) -> String {
    let x = (leftPx + innerWidthPx / 2) / widthPx
    return "set label \(quoted(text)) at screen \(fixed(x)),\(fixed(10 / heightPx)) center "
      + "textcolor \(PlotPalette.ink.gnuplot)"
  }

  /// Labels at the right edge, near their wanted heights and without overlap.
  ///
  /// - Parameter names: text, its colour and its height from 0 (bottom) to 1 (top).
  func directLabels(_ names: [(text: String, colour: PlotColour, fraction: Double)]) -> [String] {
    let places = Self.spread(names.map(\.fraction), apart: 16 / innerHeightPx)
    return zip(names, places).map { name, place in
      "set label \(quoted(name.text)) at graph 1,\(fixed(place)) left offset character 0.8,0 "
        + "textcolor \(name.colour.gnuplot)"
    }
  }

  /// Moves places as little as needed to be `apart` from one another and within 0...1.
  static func spread(_ wanted: [Double], apart: Double) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    let gap = min(apart, 1 / Double(max(order.count - 1, 1)))
    // Groups of touching labels, each centred at the mean of its members' wanted places.
    var groups: [(sum: Double, count: Int)] = []
    func low(_ group: (sum: Double, count: Int)) -> Double {
      let half = Double(group.count - 1) * gap / 2
      return min(max(group.sum / Double(group.count), half), 1 - half) - half
    }
    for index in order {
      groups.append((min(max(wanted[index], 0), 1), 1))
      while groups.count > 1 {
        let (upper, lower) = (groups[groups.count - 1], groups[groups.count - 2])
        if low(upper) - low(lower) >= Double(lower.count) * gap - 1e-12 { break }
        groups.removeLast(2)
        groups.append((lower.sum + upper.sum, lower.count + upper.count))
      }
    }
    var places = wanted
    var next = order.makeIterator()
    for group in groups {
      for member in 0..<group.count {
        if let index = next.next() { places[index] = low(group) + Double(member) * gap }
      }
    }
    return places
  }
}

/// Returns a string literal for gnuplot; within single quotes only the quote itself is special.
func quoted(_ text: String) -> String {
  let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  return "'\(line.replacing("'", with: "''"))'"
}

/// Formats with six decimals, enough for a hundredth of a pixel.
func fixed(_ value: Double) -> String { String(format: "%.6f", value) }
