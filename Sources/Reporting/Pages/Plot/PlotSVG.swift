import Foundation

/// A drawing of gnuplot as the file that pages show.
///
/// Marks and letters stay where gnuplot put them. Colours get one spelling, which style rules can match.
/// The description is ours.
struct PlotSVG: Sendable {
  let text: String

  /// - Parameters:
  ///   - text: a file written by gnuplot's `svg` terminal.
  ///   - title, description: text for screen readers.
  init?(gnuplot text: String, title: String, description: String) {
    guard let box = text.firstMatch(of: #/viewBox="\S+ \S+ (\S+) (\S+)"/#),
      let canvas = text.range(of: "<g id=\"gnuplot_canvas\""),
      let drawing = Self.adapted(text[canvas.upperBound...])
    else { return nil }
    self.text = """
      <?xml version="1.0" encoding="utf-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      class="plot" viewBox="0 0 \(box.1) \(box.2)" width="\(box.1)" height="\(box.2)" \
      role="img" aria-labelledby="title desc">
      <style>
      svg { color-scheme: light dark; }
      \(PlotPalette.css)</style>
      <title id="title">\(Self.escaped(title))</title>
      <desc id="desc">\(Self.escaped(description))</desc>
      \(drawing)
      </svg>

      """
  }

  /// Returns the canvas with its contents: colours respelled, without gnuplot's own titles, its white paper and the space between elements; `nil` if the file is incomplete.
  private static func adapted(_ canvas: Substring) -> String? {
    var text = "<g font-size=\"13\""
    // `isOpen`: the last tag waits for its `>`, or for `/>` if nothing follows in it.
    var (depth, dropped, isOpen) = (1, 0, true)
    for piece in canvas.components(separatedBy: "<").dropFirst() {
      guard let end = piece.range(of: ">") else { return nil }
      let (tag, words) = (piece[..<end.lowerBound], piece[end.upperBound...])
      let isEmpty = tag.hasSuffix("/") || tag.hasPrefix("!")
      if tag.hasPrefix("/") {
        depth -= 1
        if dropped > 0 {
          dropped -= 1
        } else {
          text += isOpen ? "/>" : "<\(tag)>"
          isOpen = false
        }
        if depth == 0 { return text }
      } else if dropped == 0, let kept = adapted(tag: tag) {
        text += (isOpen ? ">" : "") + kept + (isEmpty ? "/>" : "")
        isOpen = !isEmpty
      } else if !isEmpty {
        dropped += 1
      }
      if !isEmpty, !tag.hasPrefix("/") { depth += 1 }
      if dropped == 0, !words.allSatisfy(\.isWhitespace) {
        text += (isOpen ? ">" : "") + words
        isOpen = false
      }
    }
    return nil
  }

  /// Returns a tag without its end; `nil` for an element to drop.
  private static func adapted(tag: Substring) -> String? {
    let name = tag.prefix { $0.isLetter }
    // Every second part is a value; no value has quotes in it.
    let parts = tag.dropFirst(name.count).replacing("'", with: "\"").components(separatedBy: "\"")
    var attributes = stride(from: 0, to: parts.count - 1, by: 2).map { place in
      (
        name: parts[place].trimmingCharacters(in: .whitespaces.union(["="])),
        value: parts[place + 1]
      )
    }
    func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    if ["", "title", "desc", "filter"].contains(name) { return nil }
    if name == "rect", value("fill") == "none", value("stroke") == nil { return nil }
    attributes = attributes.compactMap { name, value in
      switch name {
      case "id": return value.hasPrefix("gp") ? (name, value) : nil
      case "stroke" where value == "black", "fill" where value == "black":
        return (name, "currentColor")
      case "stroke", "fill", "color": return (name, hexColour(value))
      case "d": return (name, shortPath(value))
      // What SVG assumes anyway.
      case "stroke-linecap" where value == "butt", "stroke-linejoin" where value == "miter":
        return nil
      default: return (name, value)
      }
    }
    return attributes.reduce("<\(name)") { $0 + " \($1.name)=\"\($1.value)\"" }
  }

  /// Rounds the places of a path to a tenth of a pixel, and drops the space that it does not need.
  private static func shortPath(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing(#/\d+\.\d+/#) { found in
        let tenths = (10 * Double(found.output)!).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
      }
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
