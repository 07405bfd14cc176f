import Foundation
import Sweep

/// A grid of time and voices with the outcome of each chord for each voice.
struct ChordPlot: Sendable {
  let grid: ChordGrid
  /// Names of the voices, from the first.
  let voices: [String]

  init(_ grid: ChordGrid, voices: [String]) {
    precondition(grid.columns.allSatisfy { $0.fates.count == voices.count }, "one fate a voice")
    (self.grid, self.voices) = (grid, voices)
  }

  private struct Place {
    let column: ChordGrid.Column
    let fate: ChordGrid.Fate
    let voice: Int
    /// Row from 0 at the bottom; the first voice is on top.
    let row: Int
  }

  private var places: [Place] {
    grid.columns.flatMap { column in
      column.fates.enumerated().compactMap { voice, fate in
        fate == .resting
          ? nil : Place(column: column, fate: fate, voice: voice, row: voices.count - 1 - voice)
      }
    }
  }

  private var endS: Double { grid.columns.last?.endS ?? 1 }
  private static let rowPx = 34.0
  private static let (topPx, bottomPx) = (60.0, 48.0)
}

extension ChordPlot: Plot {
  var isEmpty: Bool { places.isEmpty }

  /// Rows of x, y, the ends of both, colour.
  func data() -> [(name: String, rows: [[Double]])] {
    let rows = places.map { place -> [Double] in
      let (low, high, y) = (place.column.startS, place.column.endS, Double(place.row))
      let colour = place.fate.colour.light.dropFirst()
      return [
        (low + high) / 2, y, low, high, y - 0.46, y + 0.46, Double(Int(colour, radix: 16) ?? 0),
      ]
    }
    return rows.isEmpty ? [] : [("chords", rows)]
  }

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + Self.bottomPx + Double(voices.count) * Self.rowPx
  }

  func commands(_ size: PlotSize) -> String {
    let panel = PlotPanel(
      widthPx: size.widthPx, heightPx: heightPx(size),
      leftPx: min(PlotPanel.letterRoomPx(voices) + 16, size.widthPx / 3), topPx: Self.topPx,
      bottomPx: Self.bottomPx)
    let time = AxisExtent.between(0, endS, size)
    let names = voices.enumerated().map { "\(quoted($1)) \(voices.count - 1 - $0)" }
    var lines = [
      panel.commands, "unset grid", panel.axis("x", time),
      "set yrange [-0.5:\(Double(voices.count) - 0.5)]",
      "set ytics (\(names.joined(separator: ", ")))", panel.heading("voice"),
      panel.heading(
        size == .wide
          ? "error in cents: pale in tune, + sharp, − flat; × missing; ○ ghost, heard in a rest"
          : "cents: + sharp, − flat; × missing; ○ ghost", row: 1, colour: PlotPalette.muted),
      panel.xTitle("time, s"),
    ]
    let pxPerSecond = panel.innerWidthPx / endS
    lines += places.compactMap { place in
      let roomPx = (place.column.endS - place.column.startS) * pxPerSecond
      let text = place.fate.text(roomPx: roomPx)
      guard !text.isEmpty else { return nil }
      let middle = (place.column.startS + place.column.endS) / 2
      return "set label \(quoted(text)) at first \(middle),\(place.row) center front textcolor "
        + PlotPalette.onLowLevel.gnuplot
    }
    lines.append(
      "plot $chords using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder lc rgb variable")
    return lines.joined(separator: "\n")
  }

  func observations(id: String) -> Table {
    let rows = grid.columns.enumerated().flatMap { index, column in
      zip(voices, column.fates).map { (index: index, column: column, voice: $0, fate: $1) }
    }
    return Table(
      id: id, title: "Each chord, voice by voice", of: rows,
      [
        .number("chord", "chord", style: .decimals(0), otherwise: "between chords") {
          $0.column.isChord ? Double(grid.chordNumber($0.index)) : nil
        },
        .number("from_s", "from", unit: "s", style: .decimals(2)) { $0.column.startS },
        .number("to_s", "to", unit: "s", style: .decimals(2)) { $0.column.endS },
        .text("voice", "voice") { $0.voice }, .text("fate", "outcome") { $0.fate.words },
        .number(
          "error_cents", "error", unit: "cents", style: .decimals(0),
          otherwise: "no pitch to compare"
        ) { $0.fate.cents },
      ],
      note:
        "Median over the chord. In tune: within 25 cents. Missing: heard in less than half of it.")
  }
}

extension ChordGrid {
  /// Number of the chord at a column, from 1.
  fileprivate func chordNumber(_ index: Int) -> Int { columns[...index].count(where: \.isChord) }
}

extension ChordGrid.Fate {
  var words: String {
    switch self {
    case .inTune: "in tune"
    case .sharp: "sharp"
    case .flat: "flat"
    case .missing: "missing"
    case .ghost: "ghost"
    case .resting: "resting"
    }
  }

  /// Error in cents; `nil` without a pitch.
  var cents: Double? {
    switch self {
    case .inTune(let cents), .sharp(let cents), .flat(let cents): cents
    case .missing, .ghost, .resting: nil
    }
  }

  fileprivate var colour: PlotColour {
    switch self {
    case .inTune, .resting: PlotPalette.fates.inTune
    case .sharp: PlotPalette.fates.sharp
    case .flat: PlotPalette.fates.flat
    case .missing: PlotPalette.fates.missing
    case .ghost: PlotPalette.fates.ghost
    }
  }

  /// Text of a cell: a number if there is room, else a sign, so that colour is not the only signal.
  fileprivate func text(roomPx: Double) -> String {
    let cents = cents.map { ($0 >= 0.5 ? "+" : "") + NumberStyle.decimals(0).text($0) } ?? ""
    if !cents.isEmpty, roomPx >= PlotPanel.letterRoomPx([cents]) + 4 { return cents }
    return switch self {
    case .inTune, .resting: ""
    case .sharp: "+"
    case .flat: "\u{2212}"
    case .missing: "×"
    case .ghost: "○"
    }
  }
}
