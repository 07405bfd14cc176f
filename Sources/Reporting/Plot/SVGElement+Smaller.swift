/// The same picture in fewer letters: without repeated inherited attributes and parts that draw nothing,
/// and with dots of one kind joined in one path.
extension SVGElement {
  /// Default attributes of lines, which gnuplot repeats in every group.
  static let usual = [
    ("fill", "none"), ("color", "black"), ("stroke", "currentColor"), ("stroke-width", "1"),
    ("stroke-linecap", "butt"), ("stroke-linejoin", "miter"),
  ]

  /// True if elements inherit the attribute.
  private static let inherited: Set<String> = [
    "fill", "color", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "font-size",
    "text-anchor",
  ]

  /// Returns the outermost group, which keeps its attributes, without redundant parts.
  func smaller() -> SVGElement {
    var all = self
    let children = all.children.flatMap { Self.smaller($0, within: Dictionary(pairs: attributes)) }
    all.children = Self.joined(children)
    let used = all.references()
    all.children = all.children.compactMap { $0.keeping(symbols: used) }
    return all
  }

  // MARK: One after the other

  private static func smaller(_ child: Child, within around: [String: String]) -> [Child] {
    guard case .element(var element) = child else { return [child] }
    switch element.name {
    case "title", "desc", "filter": return []
    case "defs": return [child]
    case "rect" where element["fill"] == "none" && element["stroke"] == nil: return []  // the paper
    case "g":
      if let words = element.placedText() { return words.map { smaller($0, within: around) } ?? [] }
      if element["id"] != nil { element["id"] = nil }
    case "path":
      guard let lines = element["d"], SVGNumbers.isLines(lines) else { break }
      element["class"] = nil
      element["d"] = SVGNumbers.path(lines)
      if element["d"] == "" { return [] }
    case "polygon":
      element["points"] = element["points"].map { SVGNumbers.text(SVGNumbers.tenths(in: $0)) }
    case "image":
      for side in ["x", "y", "width", "height"] {
        element[side] = element[side].map { SVGNumbers.text(SVGNumbers.tenths(in: $0)) }
      }
    default: break
    }
    if let width = element["stroke-width"].flatMap(Double.init) {
      element["stroke-width"] = short(width)
    }
    element.attributes.removeAll { inherited.contains($0.name) && around[$0.name] == $0.value }
    var here = around
    for (name, value) in element.attributes where inherited.contains(name) { here[name] = value }
    element.children = joined(element.children.flatMap { smaller($0, within: here) })
    if element.name == "g" {
      if element.children.isEmpty { return [] }
      if element.attributes.isEmpty { return element.children }
    }
    return [.element(element)]
  }

  /// Replaces a group that only moves one text by that text; `.some(nil)` if the text is empty, `nil`
  /// for any other group.
  private func placedText() -> Child?? {
    guard let move = self["transform"], move.hasPrefix("translate("), !move.contains("rotate"),
      elements.count == 1, var words = elements.first, words.name == "text"
    else { return nil }
    guard !words.children.isEmpty else { return .some(nil) }
    let place = SVGNumbers.tenths(in: move)
    guard place.count == 2 else { return nil }
    words.attributes = [("x", SVGNumbers.text(place[0])), ("y", SVGNumbers.text(place[1]))]
    // A style rule keeps the outlines of letters away.
    words.attributes += attributes.filter {
      !["transform", "stroke", "font-family", "font-size"].contains($0.name)
        && $0 != ("text-anchor", "start")
    }
    return .element(words)
  }

  // MARK: Dots

  /// Radius of gnuplot's filled circle, with its outline.
  private static let (circle, radius) = ("gpPt6", 1.1025)

  /// Joins consecutive circles of the same colour and size into dots of one line with round ends.
  private static func joined(_ children: [Child]) -> [Child] {
    var found: [Child] = []
    var last: (colour: String, scale: Double)?
    for child in children {
      guard case .element(let element) = child, let dot = Dot(element) else {
        found.append(child)
        last = nil
        continue
      }
      let point = "M\(SVGNumbers.text(dot.place))h0"
      if let last, last == (dot.colour, dot.scale), case .element(var line)? = found.last {
        line["d"] = (line["d"] ?? "") + point
        found[found.count - 1] = .element(line)
      } else {
        found.append(
          .element(
            SVGElement(
              name: "path",
              attributes: [
                ("stroke", dot.colour), ("stroke-width", short(2 * radius * dot.scale)),
                ("stroke-linecap", "round"), ("d", point),
              ])))
      }
      last = (dot.colour, dot.scale)
    }
    return found
  }

  private struct Dot {
    var place: [Int]
    var scale: Double
    var colour: String

    init?(_ element: SVGElement) {
      guard element.name == "use", element["xlink:href"]?.hasSuffix(SVGElement.circle) == true,
        let move = element["transform"], let colour = element["color"]
      else { return nil }
      let numbers = move.split { !($0.isNumber || "-.".contains($0)) }.compactMap { Double($0) }
      guard numbers.count == 3 else { return nil }
      place = numbers.prefix(2).map { Int(($0 * 10).rounded()) }
      (scale, self.colour) = (numbers[2], colour)
    }
  }

  /// Formats with two decimals, without trailing zeros.
  private static func short(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return hundredths % 10 == 0
      ? SVGNumbers.text(hundredths / 10) : NumberStyle.setting.text(Double(hundredths) / 100)
  }

  // MARK: Symbols

  /// Names that are used outside of the definitions.
  private func references() -> Set<String> {
    var names: Set<String> = []
    func collect(_ element: SVGElement) {
      guard element.name != "defs" else { return }
      if let name = element["xlink:href"], name.hasPrefix("#") {
        names.insert(String(name.dropFirst()))
      }
      element.elements.forEach(collect)
    }
    collect(self)
    // A symbol may be made of another.
    let symbols = elements.first { $0.name == "defs" }?.elements ?? []
    var size = -1
    while names.count != size {
      size = names.count
      for symbol in symbols where names.contains(symbol["id"] ?? "") {
        if let name = symbol["xlink:href"] { names.insert(String(name.dropFirst())) }
      }
    }
    return names
  }
}

extension SVGElement.Child {
  /// Returns definitions without unused ones, `nil` if none is left; other elements unchanged.
  fileprivate func keeping(symbols: Set<String>) -> Self? {
    guard case .element(var element) = self, element.name == "defs" else { return self }
    element.children.removeAll { child in
      guard case .element(let symbol) = child else { return true }
      return !symbols.contains(symbol["id"] ?? "")
    }
    return element.children.isEmpty ? nil : .element(element)
  }
}

extension [String: String] {
  fileprivate init(pairs: [(name: String, value: String)]) {
    self.init(pairs.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
