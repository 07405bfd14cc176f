import Analyzer
import Foundation
import Probes

/// Pitch and formants of one voice over its spectrogram, and its level.
struct VoicePlot: Sendable {
  let outline: VoiceOutline

  private var picture: Spectrogram { outline.picture }
  private var frames: [VoiceOutline.Frame] { outline.frames }

  /// Range below the loudest point; lower levels are drawn as silence.
  static let rangeDb = 65.0
}

extension VoicePlot: Plot {
  var isEmpty: Bool { picture.levelsDb.isEmpty }

  func data() -> [(name: String, rows: [[Double]])] {
    let lines = frames.map { frame in
      let heights = ([frame.pitchHz] + (0..<4).map { frame.formantsHz[safe: $0] ?? nil })
        .map { $0.map(log2) ?? .nan }
      return [frame.timeSeconds] + heights + [frame.levelDbfs ?? .nan]
    }
    return [("ink", picture.inks), ("voice", lines)].filter { !$0.1.isEmpty }
  }

  private static let topPx = 60.0
  private static let levelPx = 70.0
  private static let betweenPx = 40.0
  private static let bottomPx = 48.0

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + (size == .wide ? 320 : 260) + Self.betweenPx + Self.levelPx + Self.bottomPx
  }

  func commands(_ size: PlotSize) -> String {
    let height = heightPx(size)
    let below = Self.betweenPx + Self.levelPx + Self.bottomPx
    let upper = PlotPanel(
      widthPx: size.widthPx, heightPx: height, topPx: Self.topPx, bottomPx: below,
      gridLines: "noxtics noytics")
    let lower = PlotPanel(
      widthPx: size.widthPx, heightPx: height, topPx: height - Self.levelPx - Self.bottomPx,
      bottomPx: Self.bottomPx)
    let lastS = max(
      frames.last?.timeSeconds ?? 0, Double(picture.levelsDb.count) * picture.hopSeconds, 1e-3)
    let time = AxisExtent.between(0, lastS, size)
    return
      (["set multiplot"] + upperCommands(upper, time) + lowerCommands(lower, time)
      + ["unset multiplot"]).joined(separator: "\n")
  }

  private func upperCommands(_ panel: PlotPanel, _ time: AxisExtent) -> [String] {
    var plots = [picture.plot()]
    if !frames.isEmpty {
      plots += (3...6).map {
        "$voice using 1:\($0) with points pt 7 ps 0.16 lc \(PlotPalette.series[1].gnuplot)"
      }
      plots.append("$voice using 1:2 with lines lw 2.4 lc \(PlotPalette.series[0].gnuplot)")
    }
    return [
      panel.commands, panel.axis("x", time, isNamed: false),
      picture.frequencyAxis(ticks: 8),
      panel.heading("frequency, Hz"),
      panel.heading(
        "line: pitch; dots: formants 1 to 4; behind them the spectrogram, "
          + "\(Int(Self.rangeDb)) dB from dark to light", row: 1, colour: PlotPalette.muted),
      "plot \(plots.joined(separator: ", \\\n  "))",
    ]
  }

  private func lowerCommands(_ panel: PlotPanel, _ time: AxisExtent) -> [String] {
    let levels = frames.compactMap(\.levelDbfs)
    let top = (levels.max() ?? 0) + 3
    let extent = AxisExtent.linear(max(levels.min() ?? -60, top - 60), top, ticks: 4)
    return [
      panel.commands, panel.axis("x", time), panel.axis("y", extent), panel.baseline,
      panel.heading("level, dBFS"), panel.xTitle("time, s"),
      levels.isEmpty
        ? "plot NaN notitle"
        : "plot $voice using 1:7 with lines lw 1.4 lc \(PlotPalette.series[2].gnuplot)",
    ]
  }

  func observations(id: String) -> Table {
    let formants = (0..<4).map { index in
      Table.Field<VoiceOutline.Frame>.number(
        "f\(index + 1)_hz", "F\(index + 1)", unit: "Hz", otherwise: "no formant"
      ) { $0.formantsHz[safe: index] ?? nil }
    }
    let fields: [Table.Field<VoiceOutline.Frame>] =
      [
        .number("time_s", "time", unit: "s", style: .decimals(3)) { $0.timeSeconds },
        .number("f0_hz", "pitch", unit: "Hz", otherwise: "unvoiced", \.pitchHz),
      ] + formants + [
        .number(
          "level_dbfs", "level", unit: "dBFS", style: .decimals(1), otherwise: "silence",
          \.levelDbfs)
      ]
    return Table(id: id, title: "Numbers behind the figure", of: frames, fields)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}

/// The spectrogram as gnuplot draws it: an image needs even steps, so its axis is in octaves, with
/// ticks named in hertz.
extension Spectrogram {
  private var lowHz: Double { frequenciesHz.first ?? 1 }
  private var highHz: Double { frequenciesHz.last ?? 2 }

  /// Darkness by row, then column, from 0 for paper to 255, in steps that are hardly visible and halve
  /// the size of the picture.
  var inks: [[Double]] {
    let loudest = Double(levelsDb.joined().max() ?? 0)
    return frequenciesHz.indices.map { row in
      levelsDb.map { column in
        let share = 1 + (Double(column[row]) - loudest) / VoicePlot.rangeDb
        return (20 * min(max(share, 0), 1)).rounded() * 12.75
      }
    }
  }

  /// Draws the data block of this name with `inks`.
  func plot(_ name: String = "ink", startS: Double = 0) -> String {
    let step = log2(highHz / lowHz) / Double(max(frequenciesHz.count - 1, 1))
    let ink = PlotPalette.picture
    return "$\(name) matrix using (\(startS)+$1*\(hopSeconds)):(\(log2(lowHz))+$2*\(step)):"
      + "(\(ink.red)):(\(ink.green)):(\(ink.blue)):3 with rgbalpha"
  }

  func frequencyAxis(ticks count: Int) -> String {
    let ticks = AxisExtent.logarithmic(lowHz, highHz, ticks: count).ticks
      .filter { (lowHz...highHz).contains($0) }
    let names = ticks.map { "'\(NumberStyle.setting.text($0))' \(log2($0))" }
    return
      "set yrange [\(log2(lowHz)):\(log2(highHz))]\nset ytics (\(names.joined(separator: ", ")))"
  }
}
