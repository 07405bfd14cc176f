import Foundation
import Metrics
import Platform

/// Text files with one value a line in a stable order, so that a change is a small diff: the figures
/// that a person reviews, and beside them (`….cells.tsv`) the values of every cell with all digits.
/// Digests reveal edits by hand, and bind the files of noise and of the bench to their baseline.
extension Baseline {
  private static let figuresTitle = "choir-eval.baseline/3"
  private static let cellsTitle = "choir-eval.baseline-cells/1"
  private static let columns = [
    "metric", "voice", "score", "settings", "value", "from", "to", "n", "unit", "better", "version",
    "reason",
  ]
  private static let none = AcceptedFile.none

  static func cellsFile(of url: URL) -> URL { file(beside: url, "cells") }

  static func noiseFile(of url: URL) -> URL { file(beside: url, "noise") }

  static func benchFile(of url: URL) -> URL { file(beside: url, "bench") }

  private static func file(beside url: URL, _ content: String) -> URL {
    url.deletingPathExtension().appendingPathExtension("\(content).tsv")
  }

  // MARK: - Writing

  /// Writes the baseline with everything that belongs to it: all files or none, even if the process is
  /// killed. Creates their folder.
  ///
  /// - Parameters:
  ///   - noise: its noise; `nil` removes that of the baseline before.
  ///   - bench: its accepted answers; `nil` leaves the file alone.
  public func write(to url: URL, noise: GateNoise? = nil, bench: GateBench? = nil) throws {
    var files = [(Self.cellsFile(of: url), cellsText), (url, text)]
    if let noise { files.append((Self.noiseFile(of: url), noise.text(of: self))) }
    if let bench { files.append((Self.benchFile(of: url), bench.text(of: self))) }
    let parent = url.deletingLastPathComponent()
    let draft = try Draft(url.lastPathComponent, in: parent, of: parent)
    defer { draft.discard() }
    for (file, text) in files {
      try Data(text.utf8).write(to: draft.folder.appendingPathComponent(file.lastPathComponent))
    }
    let names = files.map(\.0.lastPathComponent)
    try draft.publish { names.map { Draft.Move(from: $0, to: $0) } }
    if noise == nil { try? FileManager.default.removeItem(at: Self.noiseFile(of: url)) }
  }

  /// The text of figures, whose header has the digest of the cells.
  private var text: String { figuresText(cells: Digest.sha256(cellsText)) }

  /// Digest of everything in both files.
  var digest: String { Digest.sha256(text) }

  func figuresText(cells: String) -> String {
    var file = AcceptedFile(
      Self.figuresTitle,
      rows: [Self.columns]
        + rows.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) })
    file.header = [
      "made by choir-eval accept; edits by hand are refused", "plan: \(provenance.plan)",
      "subjects: \(provenance.subjects.joined(separator: ", "))", "corpus: \(provenance.corpus)",
      "judges: \(provenance.judges)", "machine: \(provenance.machine)", "date: \(provenance.date)",
      "cells: \(cells)", "lines: \(Digest.sha256(file.body))",
    ]
    return file.text
  }

  private static func line(_ key: FigureKey, _ row: Row) -> [String] {
    [
      key.figure.metric, key.figure.voice ?? none, key.score, key.configuration,
      reviewed(row.value), row.interval.map { reviewed($0.lowerBound) } ?? none,
      row.interval.map { reviewed($0.upperBound) } ?? none, "\(row.count)", row.unit,
      row.direction.rawValue, "\(row.version)", row.reason,
    ].map { $0.isEmpty ? none : $0 }
  }

  /// Formats a value with the digits that a person reviews.
  private static func reviewed(_ value: Double) -> String { String(format: "%.5g", value) }

  var cellsText: String {
    func rows(_ kind: String, _ digests: [String: String]) -> [[String]] {
      digests.sorted { $0.key < $1.key }.map { [kind, $0.key, $0.value] }
    }
    let values = cells.map { cell -> (CellAddress, AcceptedFile.Values) in
      (cell.address, cell.figures.compactMapValues { outcome in outcome.number.map { [$0] } })
    }
    // The shortest decimal that reads back as the same number.
    let figures = AcceptedFile.rows(of: values) { "\($0)" }
    return AcceptedFile(
      Self.cellsTitle,
      rows: rows("recording", provenance.recordings) + rows("score", provenance.scores) + figures
    ).text
  }

  // MARK: - Reading

  /// Reads both files, after finishing the write of an `accept` that was killed.
  public init(reading url: URL) throws(Refusal) {
    let parent = url.deletingLastPathComponent()
    Draft.recover(in: parent, of: parent)
    let figures = try AcceptedFile(reading: url, title: Self.figuresTitle)
    let values = try AcceptedFile(reading: Self.cellsFile(of: url), title: Self.cellsTitle)
    guard figures["lines"] == Digest.sha256(figures.body) else {
      throw figures.edited("the digest of its lines differs from the header")
    }
    guard figures["cells"] == Digest.sha256(values.text) else {
      throw values.edited("its digest differs from the header of \(url.lastPathComponent)")
    }
    let contents = values.rows.prefix { $0.count == 3 && $0[0] != "cell" }
    func digests(_ kind: String) -> [String: String] {
      Dictionary(contents.filter { $0[0] == kind }.map { ($0[1], $0[2]) }) { $1 }
    }
    let cells = try values.cells(from: contents.count, values: 1).map { address, values in
      ComparedCell(
        address, figures: values.compactMapValues { $0[0].map(MetricResult.Outcome.value) })
    }
    var rows: [FigureKey: Row] = [:]
    for (place, columns) in figures.rows.enumerated() where columns != Self.columns {
      guard let (key, row) = Self.row(columns) else {
        throw figures.error(
          row: place, "does not have the columns \(Self.columns.joined(separator: ", "))")
      }
      // Baselines once had costs, relative to a workload of their own.
      if !key.figure.metric.hasPrefix("cost.") { rows[key] = row }
    }
    self.init(
      provenance: Provenance(
        plan: figures["plan"] ?? "",
        subjects: (figures["subjects"] ?? "").components(separatedBy: ", "),
        corpus: figures["corpus"] ?? "", machine: figures["machine"] ?? "",
        date: figures["date"] ?? "", recordings: digests("recording"), scores: digests("score"),
        judges: figures["judges"] ?? ""),
      rows: rows, cells: cells)
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
    guard let file = try? AcceptedFile(reading: url, title: figuresTitle) else { return [:] }
    let lines = file.rows.enumerated().compactMap { place, columns in
      row(columns).map { ($0.0, file.line(ofRow: place)) }
    }
    return Dictionary(lines) { $1 }
  }
}
