import Foundation

/// An instant of one voice: its pitch over the target, and its spectrogram below.
struct InstantPlot: Sendable {
  /// The instant.
  var atS: Double
  /// The time drawn around it.
  var windowS: ClosedRange<Double>
  /// Pitch frames within the window; may be empty.
  var frames: [LanePlot.Frame]
  /// Spectrogram whose first column is at the beginning of the window.
  var picture: VoicePlot.Picture

  init(
    atS: Double, windowS: ClosedRange<Double>, frames: [LanePlot.Frame],
    picture: VoicePlot.Picture
  ) {
    (self.atS, self.windowS) = (atS, windowS)
    self.frames = frames.filter { windowS.contains($0.timeS) }
    self.picture = picture
  }
}

extension InstantPlot: Plot {
  var isEmpty: Bool { picture.levelsDb.isEmpty }

  private var hasPitch: Bool { frames.contains { $0.targetHz != nil || $0.measuredHz != nil } }

  func data() -> [(name: String, rows: [[Double]])] {
    let lines = frames.map { [$0.timeS, $0.targetHz ?? .nan, $0.measuredHz ?? .nan] }
    return [("ink", picture.inks), ("voice", hasPitch ? lines : [])].filter { !$0.1.isEmpty }
  }

  private static let topPx = 42.0
  private static let pitchPx = 130.0
  private static let betweenPx = 46.0
  private static let picturePx = 150.0
  private static let bottomPx = 46.0

  func heightPx(_ size: PlotSize) -> Double {
    Self.topPx + (hasPitch ? Self.pitchPx + Self.betweenPx : 0) + Self.picturePx + Self.bottomPx
  }

  func commands(_ size: PlotSize) -> String {
    let height = heightPx(size)
    let time = AxisExtent.between(
      windowS.lowerBound, windowS.upperBound, size, narrowTicks: 4)
    var lines = ["set multiplot"]
    if hasPitch {
      lines += pitchCommands(
        PlotPanel(
          widthPx: size.widthPx, heightPx: height, topPx: Self.topPx,
          bottomPx: height - Self.topPx - Self.pitchPx, gridLines: "xtics ytics"), time)
    }
    lines += pictureCommands(
      PlotPanel(
        widthPx: size.widthPx, heightPx: height,
        topPx: height - Self.picturePx - Self.bottomPx, bottomPx: Self.bottomPx,
        gridLines: "noxtics noytics"), time)
    return (lines + ["unset multiplot"]).joined(separator: "\n")
  }

  /// A line through both panels.
  private var mark: String {
    "set arrow from first \(atS), graph 0 to first \(atS), graph 1 nohead front lw 1 dt 2 "
      + "lc \(PlotPalette.muted.gnuplot)"
  }

  private func pitchCommands(_ panel: PlotPanel, _ time: AxisExtent) -> [String] {
    let pitches = frames.flatMap { [$0.targetHz, $0.measuredHz] }.compactMap(\.self)
    let hz = Axis("pitch", unit: "Hz", scale: .logarithmic).extent(of: pitches, ticks: 4)
    return [
      panel.commands, panel.axis("x", time, isNamed: false), panel.axis("y", hz), mark,
      panel.heading("pitch, Hz; broad grey line: target"),
      "plot $voice using 1:2 with lines lw 6 lc \(PlotPalette.target.gnuplot), \\\n"
        + "  $voice using 1:3 with linespoints pt 7 ps 0.2 lw 1.6 lc "
        + PlotPalette.series[0].gnuplot,
    ]
  }

  private func pictureCommands(_ panel: PlotPanel, _ time: AxisExtent) -> [String] {
    [
      panel.commands, panel.axis("x", time), picture.frequencyAxis(ticks: 5), mark,
      panel.heading("frequency, Hz; dark is loud"), panel.xTitle("time, s"),
      "plot \(picture.plot(startS: windowS.lowerBound))",
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
