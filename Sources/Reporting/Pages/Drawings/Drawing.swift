import Platform

/// A plot with its title and caption: a figure of a report.
package struct Drawing: Sendable {
  /// Lower-case letters, digits and hyphens; unique on the page; names the files.
  package var id: String
  package var title: String
  /// Caption: what the plot shows.
  var shows: String
  /// Caption: what the plot does not show.
  var omits: String
  /// Command line that remakes the plot.
  var command: String
  var plot: any Plot
  /// Player below the plot.
  var clip: Clip?
}

/// A kind of drawing: its data, commands and tables.
protocol Plot: Sendable {
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

extension Plot {
  func spots(_ size: PlotSize) -> [PlotSpot] { [] }
  func summary(id: String) -> Table { observations(id: id) }
}

extension Drawing: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let drawing: JSONObject = [
      "id": id, "title": title, "shows": shows, "omits": omits, "command": command,
      "files": ReportFiles.figure(id), "table": plot.summary(id: id),
    ]
    try drawing.encode(to: encoder)
  }
}
