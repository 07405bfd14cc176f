import Analyzer
import Foundation

/// An instant of one voice: its spectrogram, below its pitch over the target or below the ideal voice.
struct InstantPlot: Sendable {
  /// The instant, or both ends of a stretch.
  var marksS: [Double]
  /// The time drawn around it.
  var windowS: ClosedRange<Double>
  /// Pitch frames within the window; may be empty.
  var frames: [LanePlot.Frame]
  /// Spectrogram whose first column is at the beginning of the window.
  var picture: Spectrogram
  /// That of the ideal voice, for a fault that is not one of pitch; it takes the place of the pitch.
  var ideal: Spectrogram?

  init(
    marksS: [Double], windowS: ClosedRange<Double>, frames: [LanePlot.Frame],
    picture: Spectrogram, ideal: Spectrogram? = nil
  ) {
    (self.marksS, self.windowS) = (marksS, windowS)
    self.frames = frames.filter { windowS.contains($0.timeS) }
    (self.picture, self.ideal) = (picture, ideal)
  }
}

extension InstantPlot: Plot {
  var isEmpty: Bool { picture.levelsDb.isEmpty }

  private var hasPitch: Bool {
    ideal == nil && frames.contains { $0.targetHz != nil || $0.measuredHz != nil }
  }

  func data() -> [(name: String, rows: [[Double]])] {
    let lines = frames.map { [$0.timeS, $0.targetHz ?? .nan, $0.measuredHz ?? .nan] }
    return [
      ("ink", picture.inks), ("ideal", ideal?.inks ?? []), ("voice", hasPitch ? lines : []),
    ].filter { !$0.1.isEmpty }
  }

  private static let topPx = 42.0
  private static let pitchPx = 130.0
  private static let betweenPx = 46.0
  private static let picturePx = 150.0
  private static let bottomPx = 46.0

  /// Height of the panel above the spectrogram; 0 for none.
  private var upperPx: Double { ideal != nil ? Self.picturePx : hasPitch ? Self.pitchPx : 0 }

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + (upperPx > 0 ? upperPx + Self.betweenPx : 0) + Self.picturePx + Self.bottomPx
  }

  func commands(_ size: PlotSize) -> String {
    let height = heightPx(size)
    let time = AxisExtent.between(windowS.lowerBound, windowS.upperBound, size, narrowTicks: 4)
    var lines = ["set multiplot"]
    func panel(topPx: Double, heightPx: Double, _ gridLines: String) -> PlotPanel {
      PlotPanel(
        widthPx: size.widthPx, heightPx: height, topPx: topPx,
        bottomPx: height - topPx - heightPx, gridLines: gridLines)
    }
    let none = "noxtics noytics"
    if hasPitch {
      lines += pitchCommands(panel(topPx: Self.topPx, heightPx: upperPx, "xtics ytics"), time)
    } else if let ideal {
      lines += commands(
        for: ideal, "ideal", "the ideal voice; frequency, Hz; dark is loud",
        panel(topPx: Self.topPx, heightPx: upperPx, none), time)
    }
    let below = panel(
      topPx: height - Self.picturePx - Self.bottomPx, heightPx: Self.picturePx, none)
    lines += commands(
      for: picture, "ink",
      ideal == nil ? "frequency, Hz; dark is loud" : "the output; frequency, Hz", below, time)
    lines.insert(below.xTitle("time, s"), at: lines.count - 1)
    return (lines + ["unset multiplot"]).joined(separator: "\n")
  }

  /// Lines through both panels.
  private var marks: String {
    marksS.map {
      "set arrow from first \($0), graph 0 to first \($0), graph 1 nohead front lw 1 dt 2 "
        + "lc \(PlotPalette.muted.gnuplot)"
    }.joined(separator: "\n")
  }

  private func pitchCommands(_ panel: PlotPanel, _ time: AxisExtent) -> [String] {
    let pitches = frames.flatMap { [$0.targetHz, $0.measuredHz] }.compactMap(\.self)
    let hz = Axis("pitch", unit: "Hz", scale: .logarithmic).extent(of: pitches, ticks: 4)
    return [
      panel.commands, panel.axis("x", time, isNamed: false), panel.axis("y", hz), marks,
      panel.heading("pitch, Hz; broad grey line: target"),
      "plot $voice using 1:2 with lines lw 6 lc \(PlotPalette.target.gnuplot), \\\n"
        + "  $voice using 1:3 with linespoints pt 7 ps 0.2 lw 1.6 lc "
        + PlotPalette.series[0].gnuplot,
    ]
  }

  private func commands(
    for picture: Spectrogram, _ name: String, _ heading: String, _ panel: PlotPanel,
    _ time: AxisExtent
  ) -> [String] {
    [
      panel.commands, panel.axis("x", time, isNamed: name == "ink"),
      picture.frequencyAxis(ticks: 5),
      marks, panel.heading(heading), "plot \(picture.plot(name, startS: windowS.lowerBound))",
    ]
  }

  func observations(id: String) -> Table {
    Table(
      id: id, title: "Pitch around the instant", of: frames,
      LanePlot.Frame.fields(
        silent: "no target", timeStyle: .decimals(3), pitchStyle: .decimals(1),
        errorStyle: .decimals(0)))
  }
}
