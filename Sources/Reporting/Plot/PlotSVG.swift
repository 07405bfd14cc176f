import Foundation

/// What gnuplot drew, made fit for a page.
///
/// Marks and letters stay where gnuplot put them. Changed are: names, which get a prefix so that
/// several figures can share a page; colours, which get one spelling that style rules can match;
/// the description, which becomes ours; and what is empty or unused, which goes.
struct PlotSVG: Sendable {
  private let attributes: String
  private let body: String

  /// - Parameters:
  ///   - text: a file written by gnuplot's `svg` terminal.
  ///   - id: prefix of every name inside; unique on the page.
  ///   - title, description: what a screen reader says.
  init?(gnuplot text: String, id: String, title: String, description: String) {
    guard let box = text.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/),
      let start = text.range(of: "<g id=\"gnuplot_canvas\">"),
      let end = text.range(of: "</svg>", options: .backwards)
    else { return nil }
    attributes = """
      class="plot" id="\(id)" viewBox="0 0 \(box.1) \(box.2)" width="\(box.1)" \
      height="\(box.2)" role="img" aria-labelledby="\(id)-title \(id)-desc"
      """
    var lines = text[start.lowerBound..<end.lowerBound]
      .replacingOccurrences(of: "black'", with: "currentColor'")
      .replacingOccurrences(of: "id=\"gnuplot_canvas\"", with: "font-size=\"13\"")
      .replacingOccurrences(of: " font-family=\"sans-serif\"", with: "")
      .replacingOccurrences(of: " font-size=\"13.00\" ", with: "")
      .replacingOccurrences(of: "'gp", with: "'\(id)-gp")
      .replacingOccurrences(of: "'#gp", with: "'#\(id)-gp")
      .split(separator: "\n").map { Self.hexColours(in: $0) }
    Self.removeUnused(from: &lines)
    body =
      "<title id=\"\(id)-title\">\(Self.escaped(title))</title>\n"
      + "<desc id=\"\(id)-desc\">\(Self.escaped(description))</desc>\n"
      + lines.joined(separator: "\n")
  }

  /// For a page that carries `PlotPalette.css` itself.
  var inline: String { "<svg \(attributes)>\n\(body)\n</svg>" }

  /// For a file of its own.
  var standalone: String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(attributes)>
    <style>
    svg { color-scheme: light dark; }
    \(PlotPalette.css)</style>
    \(body)
    </svg>

    """
  }

  /// `rgb(  0, 114, 178)` becomes `#0072b2`, within double quotes.
  private static func hexColours(in line: Substring) -> String {
    guard line.contains("rgb(") else { return String(line) }
    return String(line).replacing(/['"]rgb\( *(\d+), *(\d+), *(\d+)\)['"]/) { match in
      let parts = [match.1, match.2, match.3].map { part in
        let digits = String(Int(part) ?? 0, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
      }
      return "\"#\(parts.joined())\""
    }
  }

  /// Drops empty groups, the names of plots (browsers show them as tool tips) and text filters.
  private static func removeUnused(from lines: inout [String]) {
    var kept: [String] = []
    var insideFilter = false
    for line in lines {
      if line.contains("<filter") { insideFilter = true }
      defer { if line.contains("</filter>") { insideFilter = false } }
      if insideFilter || line.allSatisfy(\.isWhitespace) { continue }
      if line == "</g>", kept.last?.hasPrefix("<g fill=") == true {
        kept.removeLast()
      } else if line.contains("<title>"), let id = line.range(of: "<g id=") {
        kept.append(line[..<id.lowerBound] + "<g>")
      } else {
        kept.append(line)
      }
    }
    lines = kept
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
