import Foundation

/// A drawing of gnuplot, adapted for a page.
///
/// Marks and letters stay where gnuplot put them. Names get a prefix, which lets several figures share
/// a page. Colours get one spelling, which style rules can match. The description is ours.
struct PlotSVG: Sendable {
  private let attributes: String
  private let body: String

  /// - Parameters:
  ///   - text: a file written by gnuplot's `svg` terminal.
  ///   - id: prefix of every name inside; unique on the page.
  ///   - title, description: text for screen readers.
  init?(gnuplot text: String, id: String, title: String, description: String) {
    guard let drawing = SVGElement(parsing: text),
      let box = drawing["viewBox"]?.split(separator: " "), box.count == 4,
      var canvas = drawing.elements.first(where: { $0["id"] == "gnuplot_canvas" })
    else { return nil }
    attributes = """
      class="plot" id="\(id)" viewBox="0 0 \(box[2]) \(box[3])" width="\(box[2])" \
      height="\(box[3])" role="img" aria-labelledby="\(id)-title \(id)-desc"
      """
    canvas.children = canvas.children.compactMap { Self.adapted($0, prefix: id) }
    canvas.attributes = [("font-size", "13")]
    body =
      "<title id=\"\(id)-title\">\(Self.escaped(title))</title>\n"
      + "<desc id=\"\(id)-desc\">\(Self.escaped(description))</desc>\n"
      + canvas.text
  }

  /// The drawing for a page that includes `PlotPalette.css`.
  var inline: String { "<svg \(attributes)>\n\(body)\n</svg>" }

  /// The drawing as a file of its own.
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

  /// Prefixes names and respells colours; drops gnuplot's own titles and its white paper.
  private static func adapted(_ child: SVGElement.Child, prefix: String) -> SVGElement.Child? {
    guard case .element(var element) = child else { return child }
    switch element.name {
    case "title", "desc", "filter": return nil
    case "rect" where element["fill"] == "none" && element["stroke"] == nil: return nil
    default: break
    }
    for (name, value) in element.attributes {
      switch name {
      case "id": element[name] = value.hasPrefix("gp") ? "\(prefix)-\(value)" : nil
      case "xlink:href" where value.hasPrefix("#gp"):
        element[name] = "#\(prefix)-\(value.dropFirst())"
      case "stroke" where value == "black", "fill" where value == "black":
        element[name] = "currentColor"
      case "stroke", "fill", "color": element[name] = hexColour(value)
      default: break
      }
    }
    element.children = element.children.compactMap { adapted($0, prefix: prefix) }
    return .element(element)
  }

  /// Turns `rgb(  0, 114, 178)` into `#0072b2`; keeps other text.
  private static func hexColour(_ text: String) -> String {
    guard text.hasPrefix("rgb(") else { return text }
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard parts.count == 3 else { return text }
    return "#" + parts.map { String($0 + 256, radix: 16).dropFirst() }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
