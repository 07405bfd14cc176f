/// A drawing with the words that belong to it.
public struct Figure: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the files.
  public var id: String
  public var title: String
  /// What to see.
  public var shows: String
  /// What it does not show.
  public var omits: String
  /// The command line that remakes it.
  public var command: String
  public var drawing: Drawing
  /// What sounds like it, played below it.
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

/// What every kind of drawing can do.
protocol FigureContent: Sendable {
  /// Whether there is anything to see.
  var isEmpty: Bool { get }
  /// Data blocks, shared by all sizes.
  func data() -> [(name: String, rows: [[Double]])]
  func heightPx(_ size: PlotSize) -> Double
  /// gnuplot commands that draw the data blocks in this size.
  func commands(_ size: PlotSize) -> String
  /// Places to press, to hear what they stand for; of two too near each other the first counts.
  func spots(_ size: PlotSize) -> [PlotSpot]
  /// What a person reads behind the figure.
  func summary(id: String) -> Table
  /// Every number drawn.
  func observations(id: String) -> Table
}

extension FigureContent {
  func spots(_ size: PlotSize) -> [PlotSpot] { [] }
}
