import Files
import Foundation
import Metrics

/// Two text files with one value a line in a stable order, so that a change is a small diff: the
/// figures that a person reviews, and beside them (`….cells.tsv`) the values of every cell with all
/// digits. Digests reveal edits by hand.
extension Baseline {
  /// Titles of format versions; version 2 has costs, and a file without costs is of version 1.
  private static let figuresTitles = ["choir-eval.baseline/1", "choir-eval.baseline/2"]
  private static let cellsTitle = "choir-eval.baseline-cells/1"
  private static let columns = [
    "metric", "voice", "score", "settings", "value", "from", "to", "n", "unit", "better", "version",
    "reason",
  ]
  /// Header key of the machine class on which costs were measured.
  private static let costMachine = "cost machine"
  /// Text of a missing value.
  private static let none = "–"

  static func cellsFile(of url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent + ".cells.tsv"
    return url.deletingLastPathComponent().appendingPathComponent(name)
  }

  // MARK: - Writing

  /// Writes both files completely or not at all, even if the process is killed.
  public func write(to url: URL) throws {
    let parent = url.deletingLastPathComponent()
    let names = (figures: url.lastPathComponent, cells: Self.cellsFile(of: url).lastPathComponent)
    let cells = cellsText
    let draft = try Draft(names.figures, in: parent, of: parent)
    defer { draft.discard() }
    func prepare(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: draft.folder.appendingPathComponent(name))
    }
    try prepare(cells, names.cells)
    try prepare(figuresText(cells: Digest.sha256(cells)), names.figures)
    try draft.publish { [names.cells, names.figures].map { Draft.Move(from: $0, to: $0) } }
  }

  func figuresText(cells: String) -> String {
    let lines =
      [Self.columns.joined(separator: "\t")]
      + reviewedRows.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) }
    let body = lines.joined(separator: "\n") + "\n"
    let machine = costs.map { ["# \(Self.costMachine): \($0.machine)"] } ?? []
    let header = [
      "# \(Self.figuresTitles[costs == nil ? 0 : 1])",
      "# made by choir-eval accept; edits by hand are refused",
      "# plan: \(provenance.plan)", "# subjects: \(provenance.subjects.joined(separator: ", "))",
      "# corpus: \(provenance.corpus)", "# machine: \(provenance.machine)",
      "# date: \(provenance.date)", "# cells: \(cells)", "# lines: \(Digest.sha256(body))",
    ]
    return (header + machine).joined(separator: "\n") + "\n" + body
  }

  private static func line(_ key: FigureKey, _ row: Row) -> String {
    [
      key.figure.metric, key.figure.voice ?? none, key.score, key.configuration,
      reviewed(row.value), row.interval.map { reviewed($0.lowerBound) } ?? none,
      row.interval.map { reviewed($0.upperBound) } ?? none, "\(row.count)", row.unit,
      row.direction.rawValue, "\(row.version)", row.reason,
    ].map { $0.isEmpty ? none : $0.oneLine }.joined(separator: "\t")
  }

  /// Formats a value with the digits that a person reviews.
  private static func reviewed(_ value: Double) -> String { String(format: "%.5g", value) }

  var cellsText: String {
    var lines = ["# \(Self.cellsTitle)"]
    lines += provenance.recordings.sorted { $0.key < $1.key }
      .map { "recording\t\($0.key)\t\($0.value)" }
    lines += provenance.scores.sorted { $0.key < $1.key }.map { "score\t\($0.key)\t\($0.value)" }
    for cell in cells {
      let address = cell.address
      lines.append(
        ["cell", address.recording, address.condition, address.score, address.configuration]
          .map(\.oneLine).joined(separator: "\t"))
      for (figure, outcome) in cell.figures.sorted(by: { $0.key < $1.key }) {
        guard case .value(let value) = outcome else { continue }
        // The shortest decimal that reads back as the same number.
        lines.append("\t\(figure.metric)\t\(figure.voice ?? Self.none)\t\(value)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: - Reading

  /// Reads both files, after finishing the write of an `accept` that was killed.
  public init(reading url: URL) throws(GateError) {
    let parent = url.deletingLastPathComponent()
    Draft.recover(in: parent, of: parent)
    var figures = try BaselineLines(url, titles: Self.figuresTitles)
    let cellsURL = Self.cellsFile(of: url)
    var values = try BaselineLines(cellsURL, titles: [Self.cellsTitle])
    let header = figures.header
    guard header["lines"] == figures.digestOfRest else {
      throw figures.edited("the digest of its lines differs from the header")
    }
    guard header["cells"] == values.digest else {
      throw values.edited("its digest differs from the header of \(url.lastPathComponent)")
    }
    var (recordings, scores) = ([String: String](), [String: String]())
    var (cells, current) = ([ComparedCell](), [FigureID: MetricResult.Outcome]())
    var address: CellAddress?
    func close() {
      if let address { cells.append(ComparedCell(address, figures: current)) }
      current = [:]
    }
    while let line = values.next() {
      switch (line.first, line.count) {
      case ("recording", 3): recordings[line[1]] = line[2]
      case ("score", 3): scores[line[1]] = line[2]
      case ("cell", 5):
        close()
        address = .init(
          recording: line[1], condition: line[2], score: line[3], configuration: line[4])
      case ("", 4):
        guard let value = Double(line[3]), value.isFinite, address != nil else {
          throw values.fault("is not a cell's value; expected metric, voice and a number")
        }
        let voice = line[2] == Self.none ? nil : line[2]
        current[.init(line[1], voice: voice)] = .value(value)
      default: throw values.fault("is not a recording, score, cell or value")
      }
    }
    close()
    var rows: [FigureKey: Row] = [:]
    var costs = header[Self.costMachine].map { BaselineCosts(machine: $0) }
    while let line = figures.next() {
      if line == Self.columns { continue }
      guard let (key, row) = Self.row(line) else {
        throw figures.fault("does not have the columns \(Self.columns.joined(separator: ", "))")
      }
      if key.figure.metric.hasPrefix(BaselineCosts.prefix) {
        guard costs != nil else {
          throw figures.fault("is a cost, but the header has no '\(Self.costMachine)'")
        }
        costs?.rows[key] = BaselineCosts.Row(row)
      } else {
        rows[key] = row
      }
    }
    self.init(
      provenance: Provenance(
        plan: header["plan"] ?? "",
        subjects: (header["subjects"] ?? "").components(separatedBy: ", "),
        corpus: header["corpus"] ?? "", machine: header["machine"] ?? "",
        date: header["date"] ?? "", recordings: recordings, scores: scores),
      rows: rows, cells: cells, costs: costs)
  }

  private static func row(_ line: [String]) -> (FigureKey, Row)? {
    guard line.count == columns.count, let value = Double(line[4]), let count = Int(line[7]),
      let direction = Metric.Direction(rawValue: line[9]), let version = Int(line[10])
    else { return nil }
    func text(_ column: Int) -> String { line[column] == none ? "" : line[column] }
    var interval: ClosedRange<Double>?
    if let low = Double(line[5]), let high = Double(line[6]), low <= high { interval = low...high }
    let key = FigureKey(
      .init(line[0], voice: line[1] == none ? nil : line[1]), score: text(2),
      configuration: text(3))
    return (
      key,
      Row(
        value: value, interval: interval, count: count, unit: text(8), direction: direction,
        version: version, reason: text(11))
    )
  }

  /// Returns the line number of each figure in the file, for annotations.
  public static func lines(of url: URL) -> [FigureKey: Int] {
    guard let text = try? GivenFile.text(at: url) else { return [:] }
    var found: [FigureKey: Int] = [:]
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if let (key, _) = row(line.components(separatedBy: "\t")) { found[key] = index + 1 }
    }
    return found
  }
}

/// Costs are written as lines like figures.
extension Baseline {
  /// All rows for review.
  var reviewedRows: [FigureKey: Row] { rows.merging(costs?.asRows ?? [:]) { figure, _ in figure } }
}

extension BaselineCosts {
  fileprivate var asRows: [FigureKey: Baseline.Row] {
    rows.mapValues { row in
      let measure: GateCost.Measure = row.interval == nil ? .instructions : .time
      return Baseline.Row(
        value: row.value, interval: row.interval, count: row.rounds, unit: Self.unit(measure),
        direction: .lower, version: row.version, reason: row.reason)
    }
  }
}

extension BaselineCosts.Row {
  fileprivate init(_ row: Baseline.Row) {
    self.init(
      value: row.value, interval: row.interval, rounds: row.count, version: row.version,
      reason: row.reason)
  }
}

/// Lines of one of the files with their numbers.
private struct BaselineLines {
  private let file: AcceptedFile
  /// Values of the header lines `# name: value`.
  private(set) var header: [String: String] = [:]
  /// Number of lines that were read, first those of the header.
  private var position: Int

  /// - Parameter titles: allowed titles of the first line, the newest last.
  init(_ url: URL, titles: [String]) throws(GateError) {
    let file = try AcceptedFile(reading: url, titles: titles)
    let start = file.lines.firstIndex { !$0.hasPrefix("#") } ?? file.lines.count
    (self.file, position) = (file, start)
    for line in file.lines[..<start] {
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      header[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
    }
  }

  var digest: String { Digest.sha256(file.text) }

  /// Digest of all lines that are not read yet.
  var digestOfRest: String {
    Digest.sha256(file.lines[position...].map { $0 + "\n" }.joined())
  }

  mutating func next() -> [String]? {
    guard position < file.lines.count else { return nil }
    position += 1
    return file.lines[position - 1].components(separatedBy: "\t")
  }

  func fault(_ problem: String) -> GateError { file.error(position, problem) }

  func edited(_ problem: String) -> GateError {
    .baseline(
      path: file.url.path, line: nil,
      problem: problem + "; it was edited by hand or merged from two versions. Restore it, or "
        + "write it again with choir-eval accept --all")
  }
}
