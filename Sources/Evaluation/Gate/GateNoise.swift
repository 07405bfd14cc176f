import Foundation
import Metrics
import Platform

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

  /// Returns the number of perturbations that `accept` measures. Chance moves a random subject's takes on both
  /// sides (docs/notes/gate.md#random-subjects).
  public static func defaultPerturbations(isRandom: Bool) -> Int { isRandom ? 9 : 4 }
  static let title = "choir-eval.noise/3"
  private static let (countKey, differingKey) = ("perturbations", "differing figures")

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
  public init(_ runs: [MeasuredRun], of metrics: [String], differingFigures: Int) {
    let kept = Set(metrics)
    let origin = runs[0].provenance
    let cells = Takes.values(of: runs.map(\.cells)).mapValues { figures in
      figures.filter { kept.contains($0.key.metric) }
    }
    self.init(
      cells: cells,
      perturbations: runs.count, differingFigures: differingFigures,
      header: [
        "the figures of every cell under changes of the input that nobody can hear",
        "subjects: \(origin.subjects.joined(separator: ", "))", "judges: \(origin.judges)",
        "machine: \(origin.machine)", "date: \(origin.date)",
      ])
  }

  // MARK: - Reading and writing

  /// Reads the noise of a baseline.
  ///
  /// - Parameter accept: command that writes both again.
  /// - Throws: a `Refusal` with the line, or `OtherBaseline`.
  init(reading url: URL, of baseline: Baseline, accept: String) throws {
    let file = try AcceptedFile(reading: url, title: Self.title)
    try file.requireBelonging(to: baseline, accept: accept)
    func number(_ key: String, in range: ClosedRange<Int>) throws(Refusal) -> Int {
      guard let text = file[key], let number = Int(text), range.contains(number) else {
        throw Refusal(
          url.path, line: 1,
          "has no whole '# \(key): N'; measure the noise again with choir-eval accept")
      }
      return number
    }
    let keys = [AcceptedFile.baselineKey, Self.countKey, Self.differingKey]
    let perturbations = try number(Self.countKey, in: 1...10_000)
    let differing = try number(Self.differingKey, in: 0...1_000_000_000)
    let cells = try file.cells(values: perturbations).filter { !$0.figures.isEmpty }
    self.init(
      cells: Dictionary(cells.map { ($0.address, $0.figures) }) { $1 },
      perturbations: perturbations, differingFigures: differing,
      header: file.header.filter { line in !keys.contains { line.hasPrefix("\($0): ") } })
  }

  /// Returns the text of the file, which names the baseline that it belongs to.
  func text(of baseline: Baseline) -> String {
    AcceptedFile(
      Self.title,
      header: header + [
        "\(AcceptedFile.baselineKey): \(baseline.digest)", "\(Self.countKey): \(perturbations)",
        "\(Self.differingKey): \(differingFigures)",
      ],
      rows: AcceptedFile.rows(
        of: cells.sorted { $0.key < $1.key }.map { (address: $0.key, figures: $0.value) }
      ) { String(format: "%.6g", $0) }
    ).text
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

  /// True if both have the same values, whatever their headers say.
  func hasValues(of other: GateNoise?) -> Bool {
    guard let other else { return false }
    return (cells, perturbations, differingFigures)
      == (other.cells, other.perturbations, other.differingFigures)
  }
}

extension Baseline {
  /// Returns the noise of every figure.
  ///
  /// A figure's noise is that of the program that made the figure: the newly measured one where `run`
  /// has the baseline's value, otherwise the old one.
  ///
  /// - Throws: a `Refusal` where there is no old one.
  func noise(
    _ new: GateNoise, of run: MeasuredRun, over old: GateNoise?, gate: Gate
  ) throws(Refusal) -> GateNoise {
    let measured = run.cells.keyed(by: \.address)
    let old = old?.perturbations == new.perturbations ? old : nil
    var (merged, lacking) = (new, 0)
    for cell in cells {
      let address = cell.address
      let (own, now) = (cell.figures, measured[address]?.figures ?? [:])
      for figure in Set(own.keys).union(new.cells[address].map { Set($0.keys) } ?? [])
      where own[figure].reviewed != now[figure].reviewed {
        if old == nil { lacking += 1 }
        merged.cells[address, default: [:]][figure] = old?.cells[address]?[figure]
      }
    }
    guard lacking == 0 else {
      throw Refusal(
        "the baseline keeps the old values of \(counted(lacking, "figure")), whose noise under as many "
          + "inaudible changes is not known; accept all figures, each with its noise: "
          + "\(gate.acceptCommand("--all"))"
      )
    }
    return merged
  }
}

extension MetricResult.Outcome? {
  /// The value with the digits that files of noise keep; `nil` without one.
  fileprivate var reviewed: Double? { self?.number?.reviewed }
}
