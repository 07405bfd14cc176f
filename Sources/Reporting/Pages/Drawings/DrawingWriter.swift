import Foundation
import Platform

/// Writer of a drawing's files: a gnuplot script with its data, and the drawings made from it.
package struct DrawingWriter: Sendable {
  let gnuplot: Gnuplot

  init(gnuplot: Gnuplot) { self.gnuplot = gnuplot }

  package init() { self.init(gnuplot: Gnuplot()) }

  /// Draws `drawing` into `folder`, an existing directory, in each `PlotSize`.
  package func write(_ drawing: Drawing, to folder: URL) throws {
    guard !drawing.plot.isEmpty else {
      throw Refusal("figure \(drawing.id) has no number to draw; leave it out")
    }
    let name = "\(drawing.id).gp"
    try writeScript(of: drawing, to: folder.appendingPathComponent(name).path)
    try gnuplot.run(name, in: folder)
    for size in PlotSize.allCases {
      let file = folder.appendingPathComponent("\(drawing.id)\(size.suffix).svg")
      guard let text = try? GivenFile.text(at: file),
        let svg = PlotSVG(gnuplot: text, title: drawing.title, description: drawing.shows)
      else {
        throw Refusal(
          "gnuplot wrote no readable \(file.path); check the free space and gnuplot's version")
      }
      try Data(svg.text.utf8).write(to: file)
    }
  }

  private func writeScript(of drawing: Drawing, to path: String) throws(Refusal) {
    let plot = drawing.plot
    var script = try PlotScript(path: path)
    try script.write("# To draw this again: gnuplot \(drawing.id).gp\n")
    for (name, rows) in plot.data() { try script.write(rows, named: name) }
    for size in PlotSize.allCases {
      try script.write(
        PlotPanel.terminal(
          widthPx: size.widthPx, heightPx: plot.heightPx(size),
          output: "\(drawing.id)\(size.suffix).svg"))
      try script.write(plot.commands(size))
    }
    try script.finish()
  }
}
