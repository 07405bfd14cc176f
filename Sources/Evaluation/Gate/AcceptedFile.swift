import Foundation
import Platform

/// A text file that `accept` writes, read line by line: the baseline, or one beside it.
///
/// The first line is the title. Lines `# name: value` follow, then the rows. Files beside the baseline
/// name the digest of the baseline that they belong to.
struct AcceptedFile {
  let url: URL
  let text: String
  /// All lines, the title first; without the empty one after the last line end.
  let lines: [String]
  /// Values of the lines `# name: value` above the rows.
  let header: [String: String]
  /// Number of lines above the rows.
  let headerCount: Int

  /// - Parameter title: format with its version.
  /// - Throws: `GateError.baseline` with the line.
  init(reading url: URL, title: String) throws(GateError) {
    self.url = url
    guard let text = try? GivenFile.text(at: url) else {
      throw .baseline(
        path: url.path, line: nil,
        problem: "can't be read; create it with choir-eval accept GATE --reason TEXT")
    }
    self.text = text
    var lines = text.components(separatedBy: "\n")
    guard lines.first == "# \(title)" else {
      throw .baseline(
        path: url.path, line: 1,
        problem: "does not begin with '# \(title)'; use the choir-eval that wrote it, or write "
          + "it again with choir-eval accept --all")
    }
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
    headerCount = lines.firstIndex { !$0.hasPrefix("#") } ?? lines.count
    var header: [String: String] = [:]
    for line in lines[..<headerCount] {
      guard line.hasPrefix("# "), let colon = line.range(of: ": ") else { continue }
      header[String(line[..<colon.lowerBound].dropFirst(2))] = String(line[colon.upperBound...])
    }
    self.header = header
  }

  /// The rows below the header, with their numbers counted from 1.
  var rows: [(number: Int, columns: [String])] {
    lines.indices[headerCount...].map { ($0 + 1, lines[$0].components(separatedBy: "\t")) }
  }

  /// Returns the error of a line, counted from 1.
  func error(_ line: Int, _ problem: String) -> GateError {
    .baseline(path: url.path, line: line, problem: problem)
  }

  // MARK: - The baseline that a file belongs to

  static let baselineKey = "baseline"

  /// Refuses a file that was restored, merged or measured without the baseline beside it.
  ///
  /// - Parameter accept: command that writes both again.
  func requireBelonging(to baseline: Baseline, accept: String) throws(GateError) {
    guard header[Self.baselineKey] == baseline.digest else {
      throw .ofAnotherBaseline(path: url.relativeToHere, accept: accept)
    }
  }
}

extension String {
  /// Replaces tabs and line breaks, which separate columns and rows.
  var oneLine: String {
    String(map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}
