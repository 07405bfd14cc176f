/// Coordinates of a drawing in tenths of a pixel: finer than a screen shows, and half as long as in
/// gnuplot's output.
enum SVGNumbers {
  /// Returns the shortest spelling: `12`, `-.5`.
  static func text(_ tenths: Int) -> String {
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    let digits = rest == 0 ? "\(whole)" : "\(whole == 0 ? "" : "\(whole)").\(rest)"
    return tenths < 0 ? "-\(digits)" : digits
  }

  /// Joins numbers with separators; a minus sign separates by itself.
  static func text(_ tenths: [Int]) -> String {
    tenths.enumerated().map { index, value in
      index > 0 && value >= 0 ? " \(text(value))" : text(value)
    }.joined()
  }

  /// Reads all numbers of a text in tenths, with any separators.
  static func tenths(in text: some StringProtocol) -> [Int] {
    text.split { !($0.isASCII && ($0.isNumber || "+-.eE".contains($0))) }
      .compactMap { Double($0) }.map { Int(($0 * 10).rounded()) }
  }

  /// Turns lines that gnuplot draws by `M` and `L` into steps from point to point, without single points,
  /// which draw nothing; may be empty.
  static func path(_ path: String) -> String {
    var text = ""
    var last = (x: 0, y: 0)
    for line in path.split(separator: "M") {
      let values = tenths(in: line)
      guard values.count >= 4 else { continue }
      for place in stride(from: 0, to: values.count - 1, by: 2) {
        let point = (x: values[place], y: values[place + 1])
        if place == 0 {
          text += "M" + Self.text([point.x, point.y])
        } else {
          // A step of nothing shows as nothing, but for a line that has no other.
          let step = [point.x - last.x, point.y - last.y]
          if step != [0, 0] || values.count == 4 { text += "l" + Self.text(step) }
        }
        last = point
      }
    }
    return text
  }

  /// True if a path has only straight lines from point to point, as in gnuplot's output.
  static func isLines(_ path: String) -> Bool {
    path.allSatisfy { "ML,. -".contains($0) || $0.isNumber || $0.isWhitespace }
  }
}
