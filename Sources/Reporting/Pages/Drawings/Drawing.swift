/// A plot with its title and caption: a figure of a report.
public struct Drawing: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the files.
  public var id: String
  public var title: String
  /// Caption: what the plot shows.
  public var shows: String
  /// Caption: what the plot does not show.
  public var omits: String
  /// Command line that remakes the plot.
  public var command: String
  public var plot: Plot
  /// Player below the plot.
  public var clip: Clip?

  public enum Plot: Sendable {
    case curve(CurvePlot)
    case heatMap(HeatMapPlot)
    case lanes(LanePlot)
    case voice(VoicePlot)
    case instant(InstantPlot)
    case trade(TradePlot)
    case chords(ChordPlot)
    case dots(DotPlot)
  }

  public init(
    id: String, title: String, shows: String, omits: String, command: String, plot: Plot,
    clip: Clip? = nil
  ) {
    (self.id, self.title, self.shows, self.omits) = (id, title, shows, omits)
    (self.command, self.plot, self.clip) = (command, plot, clip)
  }

  var content: any PlotContent {
    switch plot {
    case .curve(let plot): plot
    case .heatMap(let plot): plot
    case .lanes(let plot): plot
    case .voice(let plot): plot
    case .instant(let plot): plot
    case .trade(let plot): plot
    case .chords(let plot): plot
    case .dots(let plot): plot
    }
  }
}

/// A kind of drawing: its data, commands and tables.
protocol PlotContent: Sendable {
  /// True if there is nothing to draw.
  var isEmpty: Bool { get }
  /// Data blocks, shared by all sizes.
  func data() -> [(name: String, rows: [[Double]])]
  func heightPx(_ size: PlotSize) -> Double
  /// gnuplot commands that draw the data blocks in this size.
  func commands(_ size: PlotSize) -> String
  /// Places that play a sound when pressed; the first of two that are too near each other counts.
  func spots(_ size: PlotSize) -> [PlotSpot]
  /// Table that a reader can unfold below the figure.
  func summary(id: String) -> Table
  /// Every number drawn.
  func observations(id: String) -> Table
}

extension PlotContent {
  func spots(_ size: PlotSize) -> [PlotSpot] { [] }
}
