/// A drawing with its title and caption.
public struct Figure: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the files.
  public var id: String
  public var title: String
  /// Caption: what the drawing shows.
  public var shows: String
  /// Caption: what the drawing does not show.
  public var omits: String
  /// Command line that remakes the figure.
  public var command: String
  public var drawing: Drawing
  /// Player below the drawing.
  public var clip: Clip?

  public enum Drawing: Sendable {
    case curve(CurveFigure)
    case heatMap(HeatMapFigure)
    case lanes(LaneFigure)
    case voice(VoiceFigure)
    case instant(InstantFigure)
    case trade(TradeFigure)
    case chords(ChordFigure)
    case dots(DotFigure)
  }

  public init(
    id: String, title: String, shows: String, omits: String, command: String, drawing: Drawing,
    clip: Clip? = nil
  ) {
    (self.id, self.title, self.shows, self.omits) = (id, title, shows, omits)
    (self.command, self.drawing, self.clip) = (command, drawing, clip)
  }

  var content: any FigureContent {
    switch drawing {
    case .curve(let figure): figure
    case .heatMap(let figure): figure
    case .lanes(let figure): figure
    case .voice(let figure): figure
    case .instant(let figure): figure
    case .trade(let figure): figure
    case .chords(let figure): figure
    case .dots(let figure): figure
    }
  }
}

/// A kind of drawing: its data, commands and tables.
protocol FigureContent: Sendable {
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

extension FigureContent {
  func spots(_ size: PlotSize) -> [PlotSpot] { [] }
}
