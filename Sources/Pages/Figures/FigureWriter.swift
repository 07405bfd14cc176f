import Foundation

/// Writer of a figure's files: a gnuplot script with its data, and the drawings made from it.
package struct FigureWriter {
  private let gnuplot: Gnuplot

  init(gnuplot: Gnuplot) { self.gnuplot = gnuplot }

  package init() { self.init(gnuplot: Gnuplot()) }

  /// Draws `figure` into `folder`, an existing directory.
  ///
  /// - Returns: inline SVG in the order of `PlotSize.allCases`.
  package func write(_ figure: Figure, to folder: URL) throws -> [String] {
    guard !figure.content.isEmpty else { throw PlotError.nothingToDraw(figure.id) }
    let name = "\(figure.id).gp"
    try writeScript(of: figure, to: folder.appendingPathComponent(name).path)
    try gnuplot.run(name, in: folder)
    return try PlotSize.allCases.map { size in
      let id = figure.id + size.suffix
      let file = folder.appendingPathComponent("\(id).svg")
      guard let text = try? String(contentsOf: file, encoding: .utf8),
        let svg = PlotSVG(
          gnuplot: text, id: "plot-\(id)", title: figure.title, description: figure.shows)
      else { throw PlotError.noOutput(file.path) }
      try Data(svg.standalone.utf8).write(to: file)
      return svg.inline
    }
  }

  private func writeScript(of figure: Figure, to path: String) throws(PlotError) {
    let content = figure.content
    var script = try PlotScript(path: path)
    try script.write("# To draw this again: gnuplot \(figure.id).gp\n")
    for (name, rows) in content.data() { try script.write(rows, named: name) }
    for size in PlotSize.allCases {
      try script.write(
        PlotPanel.terminal(
          widthPx: size.widthPx, heightPx: content.heightPx(size),
          output: "\(figure.id)\(size.suffix).svg"))
      try script.write(content.commands(size))
    }
    try script.finish()
  }
}
