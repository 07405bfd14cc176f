import Foundation
import Platform

/// A text file that `accept` writes: the baseline, or one beside it.
///
/// The first line is the title. Lines `# name: value` and remarks follow, then rows of columns between
/// tabs. Files beside the baseline name the digest of the baseline that they belong to.
struct AcceptedFile {
  private let url: URL?
  /// Format with its version.
  let title: String
  /// Lines above the rows, without the title.
  var header: [String]
  let rows: [[String]]

  /// Text of a missing value.
  static let none = "–"

  init(_ title: String, header: [String] = [], rows: [[String]]) {
    (url, self.title, self.header) = (nil, title, header)
    self.rows = rows.map { $0.map(\.oneLine) }
  }

  var text: String {
    (["# \(title)"] + header.map { "# \($0)" }).joined(separator: "\n") + "\n" + body
  }

  /// The lines of the rows.
  var body: String { rows.map { $0.joined(separator: "\t") + "\n" }.joined() }

  // MARK: - Reading

  /// - Throws: a `Refusal` with the line.
  init(reading url: URL, title: String) throws(Refusal) {
    (self.url, self.title) = (url, title)
    guard let text = try? GivenFile.text(at: url) else {
      throw Refusal(url.path, "can't be read; create it with choir-eval accept GATE --reason TEXT")
    }
    var lines = text.components(separatedBy: "\n")
    guard lines.first == "# \(title)" else {
      throw Refusal(
        url.path, line: 1,
        "does not begin with '# \(title)'; use the choir-eval that wrote it, or write "
          + "it again with choir-eval accept --all")
    }
    if lines.last == "" { lines.removeLast() }
    let count = lines.firstIndex { !$0.hasPrefix("#") } ?? lines.count
    header = lines[1..<count].map { String($0.dropFirst(2)) }
    rows = lines[count...].map { $0.components(separatedBy: "\t") }
  }

  /// The value of a line `# name: value`.
  subscript(name: String) -> String? {
    header.last { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  /// The number of a row's line, from 1.
  func line(ofRow row: Int) -> Int { header.count + row + 2 }

  func error(row: Int, _ problem: String) -> Refusal {
    Refusal(url!.path, line: line(ofRow: row), problem)
  }

  func edited(_ problem: String) -> Refusal {
    Refusal(
      url!.path,
      problem + "; it was edited by hand or merged from two versions. Restore it, or "
        + "write it again with choir-eval accept --all")
  }

  // MARK: - The baseline that a file belongs to

  static let baselineKey = "baseline"

  /// Refuses a file that was restored, merged or measured without the baseline beside it.
  ///
  /// - Parameter accept: command that writes both again.
  func requireBelonging(to baseline: Baseline, accept: String) throws {
    guard self[Self.baselineKey] == baseline.digest else {
      throw OtherBaseline(path: url!.relativeToHere, accept: accept)
    }
  }
}

/// Rows of cells, each followed by its figures with one or more values.
extension AcceptedFile {
  typealias Values = [FigureID: [Double?]]

  static func rows(
    of cells: [(address: CellAddress, figures: Values)], _ text: (Double) -> String
  ) -> [[String]] {
    cells.flatMap { address, figures in
      [["cell", address.recording, address.condition, address.score, address.configuration]]
        + figures.sorted { $0.key < $1.key }.map { figure, values in
          ["", figure.metric, figure.voice ?? none] + values.map { $0.map(text) ?? none }
        }
    }
  }

  /// - Parameters:
  ///   - first: number of other rows before them.
  ///   - count: number of values of each figure.
  func cells(from first: Int = 0, values count: Int) throws(Refusal) -> [(
    address: CellAddress, figures: Values
  )] {
    var cells: [(address: CellAddress, figures: Values)] = []
    for (row, columns) in rows.enumerated().dropFirst(first) {
      if columns.first == "cell", columns.count == 5 {
        let address = CellAddress(
          recording: columns[1], condition: columns[2], score: columns[3],
          configuration: columns[4])
        cells.append((address, [:]))
        continue
      }
      let texts = columns.dropFirst(3)
      let values = texts.map { $0 == Self.none ? nil : Double($0) }
      let areReadable = zip(texts, values).allSatisfy { $0 == Self.none || $1?.isFinite ?? false }
      guard columns.count == count + 3, columns[0].isEmpty, areReadable, !cells.isEmpty else {
        throw error(
          row: row,
          "must be a cell, or a metric, a voice and \(counted(count, "value")), with tabs")
      }
      let voice = columns[2] == Self.none ? nil : columns[2]
      cells[cells.count - 1].figures[FigureID(columns[1], voice: voice)] = values
    }
    return cells
  }
}

extension String {
  /// Replaces tabs and line breaks, which separate columns and rows.
  var oneLine: String {
    String(map { $0 == "\t" || $0.isNewline ? " " : $0 })
  }
}
