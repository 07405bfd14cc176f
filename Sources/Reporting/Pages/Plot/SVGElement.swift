/// An element of a drawing with its contents.
///
/// Reads gnuplot's output: elements, attributes and text, which are not decoded and so come out
/// unchanged. Skips declarations and comments.
struct SVGElement: Equatable {
  enum Child: Equatable {
    case element(SVGElement)
    case text(String)
  }

  var name: String
  /// Attributes in order.
  var attributes: [(name: String, value: String)] = []
  var children: [Child] = []

  subscript(attribute: String) -> String? {
    get { attributes.first { $0.name == attribute }?.value }
    set {
      let place = attributes.firstIndex { $0.name == attribute }
      switch (place, newValue) {
      case (let place?, let value?): attributes[place].value = value
      case (let place?, nil): attributes.remove(at: place)
      case (nil, let value?): attributes.append((attribute, value))
      case (nil, nil): break
      }
    }
  }

  var elements: [SVGElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  static func == (a: SVGElement, b: SVGElement) -> Bool {
    a.name == b.name && a.children == b.children
      && a.attributes.elementsEqual(b.attributes) { $0 == $1 }
  }

  // MARK: Written

  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Contents, without white space between elements; within text it stays.
  private func write(to text: inout String) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(value)\"" }
    guard !children.isEmpty else {
      text += "/>"
      return
    }
    text += ">"
    for child in children {
      switch child {
      case .element(let element): element.write(to: &text)
      case .text(let words): text += words
      }
    }
    text += "</\(name)>"
  }
}

extension SVGElement {
  /// Reads the outermost element of a file; `nil` if the file is incomplete.
  init?(parsing text: String) {
    var reader = SVGReader(text)
    guard let element = reader.outermost() else { return nil }
    self = element
  }
}

/// A parser that goes through a file once.
private struct SVGReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func outermost() -> SVGElement? {
    while let start = find("<", from: place) {
      place = start
      guard start + 1 < bytes.count else { return nil }
      if bytes[start + 1] == UInt8(ascii: "?") || bytes[start + 1] == UInt8(ascii: "!") {
        guard let end = find(">", from: start) else { return nil }
        place = end + 1
      } else {
        return element()
      }
    }
    return nil
  }

  /// Reads an element from its `<` to its end.
  private mutating func element() -> SVGElement? {
    guard let end = find(">", from: place) else { return nil }
    let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
    var element = tag(place + 1..<(isEmpty ? end - 1 : end))
    place = end + 1
    if isEmpty { return element }
    while let next = find("<", from: place) {
      let words = string(place..<next)
      if !words.allSatisfy(\.isWhitespace) { element.children.append(.text(words)) }
      place = next
      guard next + 1 < bytes.count else { return nil }
      if bytes[next + 1] == UInt8(ascii: "/") {
        guard let end = find(">", from: next) else { return nil }
        place = end + 1
        return element
      }
      if bytes[next + 1] == UInt8(ascii: "!") {
        guard let end = find(">", from: next) else { return nil }
        place = end + 1
        continue
      }
      guard let child = self.element() else { return nil }
      element.children.append(.element(child))
    }
    return nil
  }

  /// Reads a name and its attributes, in quotes of either kind.
  private func tag(_ range: Range<Int>) -> SVGElement {
    var at = range.lowerBound
    func skip(while isIn: (UInt8) -> Bool) -> Range<Int> {
      let start = at
      while at < range.upperBound, isIn(bytes[at]) { at += 1 }
      return start..<at
    }
    let isSpace = { (byte: UInt8) in byte <= 32 }
    let isName = { (byte: UInt8) in byte > 32 && byte != UInt8(ascii: "=") }
    var element = SVGElement(name: string(skip(while: isName)))
    while true {
      _ = skip(while: isSpace)
      let name = skip(while: isName)
      guard !name.isEmpty else { return element }
      _ = skip { isSpace($0) || $0 == UInt8(ascii: "=") }
      guard at < range.upperBound else { return element }
      let quote = bytes[at]
      at += 1
      let value = skip { $0 != quote }
      at += 1
      element.attributes.append((string(name), string(value)))
    }
  }

  private func find(_ character: Unicode.Scalar, from start: Int) -> Int? {
    bytes[min(start, bytes.count)...].firstIndex(of: UInt8(ascii: character))
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
