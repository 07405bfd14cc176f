import Foundation

/// A text file that `accept` writes beside the baseline, read line by line.
struct AcceptedFile {
  let url: URL
  /// All lines, the title first; without the empty one after the last line end.
  let lines: [String]

  /// - Parameters:
  ///   - title: format with its version, which the first line must name.
  ///   - outdated: earlier titles, each with the problem and its remedy.
  /// - Throws: `GateError.baseline` with the line.
  init(
    reading url: URL, title: String, outdated: [String: String] = [:]
  ) throws(GateError) {
    self.url = url
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      throw .baseline(
        path: url.path, line: nil,
        problem: "can't be read; create it with choir-eval accept GATE --reason TEXT")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.first == "# \(title)" else {
      let found = String(lines.first?.dropFirst(2) ?? "")
      throw .baseline(
        path: url.path, line: 1,
        problem: outdated[found] ?? "has another format; it must begin with '# \(title)'")
    }
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
  }

  /// Returns the error of a line, counted from 1.
  func error(_ line: Int, _ problem: String) -> GateError {
    .baseline(path: url.path, line: line, problem: problem)
  }
}
