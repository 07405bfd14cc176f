import Files
import Foundation
import Metrics

/// The values of a baseline's figures under perturbations of the input that nobody can hear; a text
/// file beside the baseline.
public struct GateNoise: Equatable, Sendable {
  /// Values under each perturbation, by cell and figure; `nil` where a figure has no value.
  var cells: [CellAddress: [FigureID: [Double?]]]
  /// Number of perturbations.
  public var perturbations: Int
  /// Number of figures that differed between two equal runs; 0 for a deterministic subject.
  public var differingFigures: Int
  /// Comment lines at the start of the file, about the measurement.
  public var header: [String]

  public var isRandom: Bool { differingFigures > 0 }

  /// Number of perturbations that `accept` measures.
  public static let usualPerturbations = 4
  static let title = "choir-eval.noise/2"
  private static let oldTitle = "choir-eval.noise/1"
  private static let (countKey, differingKey) = ("perturbations: ", "differing figures: ")
  private static let (corpusKey, judgesKey) = ("corpus: ", "judges: ")
  private static let none = "–"

  init(
    cells: [CellAddress: [FigureID: [Double?]]], perturbations: Int, differingFigures: Int,
    header: [String]
  ) {
    (self.cells, self.perturbations) = (cells, perturbations)
    (self.differingFigures, self.header) = (differingFigures, header)
  }

  /// - Parameters:
  ///   - runs: one run for each perturbation.
  ///   - metrics: ids of the metrics to keep.
  ///   - differingFigures: result of `Acceptance.differingFigures`.
  ///   - alarms: lines about false alarms.
  public init(
    _ runs: [MeasuredRun], of metrics: [String], differingFigures: Int, alarms: [String] = []
  ) {
    let kept = Set(metrics)
    let origin = runs[0].provenance
    let cells = Takes.values(of: runs.map(\.cells)).mapValues { figures in
      figures.filter { kept.contains($0.key.metric) }
    }
    let judges = Set(cells.values.flatMap { $0.keys.map(\.metric) }).sorted()
      .map { "\($0) \(Metric.metric(id: $0)?.version ?? 0)" }
    self.init(
      cells: cells,
      perturbations: runs.count, differingFigures: differingFigures,
      header: [
        "the figures of every cell under changes of the input that nobody can hear",
        "plan: \(origin.plan)", "subjects: \(origin.subjects.joined(separator: ", "))",
        Self.corpusKey + origin.corpus, Self.judgesKey + judges.joined(separator: ", "),
        "machine: \(origin.machine)", "date: \(origin.date)",
      ] + alarms)
  }

  // MARK: - Reading and writing

  public init(reading url: URL) throws(GateError) {
    let file = try AcceptedFile(
      reading: url, titles: [Self.title],
      outdated: [
        Self.oldTitle: "was written by an earlier version, which knew no inaudible changes; "
          + "remove it and measure again: choir-eval accept GATE --reason TEXT"
      ])
    (cells, header, perturbations, differingFigures) = ([:], [], 0, 0)
    var address: CellAddress?
    for (index, line) in file.lines.enumerated().dropFirst() {
      if line.hasPrefix("# ") {
        try readHeader(String(line.dropFirst(2))) { file.error(index + 1, $0) }
        continue
      }
      let columns = line.components(separatedBy: "\t")
      if columns.first == "cell", columns.count == 5 {
        address = CellAddress(
          recording: columns[1], condition: columns[2], score: columns[3],
          configuration: columns[4])
        continue
      }
      let values = columns.dropFirst(3).map { $0 == Self.none ? nil : Double($0) }
      let isReadable = zip(columns.dropFirst(3), values).allSatisfy { text, value in
        text == Self.none || value?.isFinite ?? false
      }
      guard columns.count == perturbations + 3, columns[0].isEmpty, isReadable, let address else {
        throw file.error(
          index + 1, "must be a cell, or a metric, a voice and \(perturbations) values, with tabs")
      }
      let voice = columns[2] == Self.none ? nil : columns[2]
      cells[address, default: [:]][FigureID(columns[1], voice: voice)] = values
    }
    guard perturbations > 0 else {
      throw file.error(
        1, "has no '# \(Self.countKey)N'; measure the noise again with choir-eval accept")
    }
  }

  private mutating func readHeader(
    _ line: String, _ fail: (String) -> GateError
  ) throws(GateError) {
    func number(after key: String) throws(GateError) -> Int? {
      guard line.hasPrefix(key) else { return nil }
      guard let number = Int(line.dropFirst(key.count)), 0...10_000 ~= number else {
        throw fail("'\(line)' has no whole number; measure the noise again with choir-eval accept")
      }
      return number
    }
    if let count = try number(after: Self.countKey) {
      perturbations = count
    } else if let count = try number(after: Self.differingKey) {
      differingFigures = count
    } else {
      header.append(line)
    }
  }

  public var text: String {
    var lines =
      ["# \(Self.title)"] + header.map { "# \($0)" } + [
        "# \(Self.countKey)\(perturbations)", "# \(Self.differingKey)\(differingFigures)",
      ]
    for (address, figures) in cells.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "cell\t"
          + [address.recording, address.condition, address.score, address.configuration]
          .joined(separator: "\t"))
      for (figure, values) in figures.sorted(by: { $0.key < $1.key }) {
        let texts = values.map { $0.map { String(format: "%.6g", $0) } ?? Self.none }
        lines.append(
          "\t\(figure.metric)\t\(figure.voice ?? Self.none)\t" + texts.joined(separator: "\t"))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the file completely or not at all, even if the process is killed; creates its folder.
  public func write(to url: URL) throws {
    try WholeFile.write(text, to: url.path, makingFolder: true)
  }

  /// Returns what a baseline was measured with and the noise was not, in words: it then belongs to
  /// another baseline. Files of earlier versions do not say what they were measured with.
  func differences(from baseline: Baseline) -> [String] {
    func text(after key: String) -> String? {
      header.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }
    var found: [String] = []
    if let corpus = text(after: Self.corpusKey), corpus != baseline.provenance.corpus {
      found.append("other recordings")
    }
    let versions = Dictionary(
      baseline.rows.map { ($0.key.figure.metric, $0.value.version) }
    ) { first, _ in first }
    let judges = (text(after: Self.judgesKey) ?? "").components(separatedBy: ", ")
    let others = judges.compactMap { judge -> String? in
      let words = judge.split(separator: " ").map(String.init)
      guard words.count == 2, let version = versions[words[0]], "\(version)" != words[1]
      else { return nil }
      return words[0]
    }
    if !others.isEmpty { found.append("other versions of " + others.joined(separator: ", ")) }
    return found
  }

  /// Returns the run under each perturbation, as it was measured.
  ///
  /// - Parameter run: the unperturbed run.
  package func runs(of run: MeasuredRun) -> [MeasuredRun] {
    (0..<perturbations).map { number in
      var other = run
      other.cells = run.cells.map { cell in
        let values = cells[cell.address]?.compactMapValues { $0[number] } ?? [:]
        return ComparedCell(cell.address, figures: values.mapValues { .value($0) }, key: cell.key)
      }
      return other
    }
  }

  /// Returns the noise with the figures for which `isNew` is true, or that it lacks, from `other`.
  func merging(
    _ other: GateNoise, where isNew: (CellAddress, FigureID) -> Bool
  ) -> GateNoise {
    // Takes of other counts can't stand in one file.
    guard perturbations == other.perturbations else { return other }
    var merged = other
    for (address, figures) in other.cells {
      for figure in figures.keys where !isNew(address, figure) {
        if let old = cells[address]?[figure] { merged.cells[address]![figure] = old }
      }
    }
    return merged
  }
}
