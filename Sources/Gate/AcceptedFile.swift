import Files
import Foundation

/// A text file that `accept` writes, read line by line: the baseline, or one beside it.
struct AcceptedFile {
  let url: URL
  let text: String
  /// All lines, the title first; without the empty one after the last line end.
  let lines: [String]

  /// - Parameters:
  ///   - titles: format with its versions, the newest last; the first line must name one.
  ///   - outdated: earlier titles, each with the problem and its remedy.
  /// - Throws: `GateError.baseline` with the line.
  init(
    reading url: URL, titles: [String], outdated: [String: String] = [:]
  ) throws(GateError) {
    self.url = url
    guard let text = try? GivenFile.text(at: url) else {
      throw .baseline(
        path: url.path, line: nil,
        problem: "can't be read; create it with choir-eval accept GATE --reason TEXT")
    }
    self.text = text
    var lines = text.components(separatedBy: "\n")
    guard let first = lines.first, titles.contains(where: { first == "# \($0)" }) else {
      let found = String(lines.first?.dropFirst(2) ?? "")
      throw .baseline(
        path: url.path, line: 1,
        problem: outdated[found]
          ?? "does not begin with '# \(titles.last!)'; use the choir-eval that wrote it, or write "
          + "it again with choir-eval accept --all")
    }
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
  }

  /// Returns the error of a line, counted from 1.
  func error(_ line: Int, _ problem: String) -> GateError {
    .baseline(path: url.path, line: line, problem: problem)
  }
}

extension String {
  /// Replaces tabs and line breaks, which separate columns and rows.
  var oneLine: String {
    String(map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}
