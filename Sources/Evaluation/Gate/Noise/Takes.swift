import Foundation
import Metrics
import Statistics

/// The cells of one version of a subject, measured once as they are and then under perturbations
/// that nobody can hear.
package struct Takes: Sendable {
  /// The unperturbed cells.
  let cells: [ComparedCell]
  /// Values under each perturbation, by cell and figure; `nil` where a figure has no value.
  private let perturbed: [CellAddress: [FigureID: [Double?]]]
  let perturbations: Int
  /// Metrics that were measured under perturbations, with or without a value; the others can't be.
  private(set) var metrics: Set<String>

  init(
    _ cells: [ComparedCell], perturbed: [CellAddress: [FigureID: [Double?]]], perturbations: Int,
    metrics: Set<String>? = nil
  ) {
    (self.cells, self.perturbed, self.perturbations) = (cells, perturbed, perturbations)
    self.metrics = metrics ?? Set(perturbed.values.flatMap { $0.keys.map(\.metric) })
  }

  /// - Parameter runs: one run for each perturbation.
  package init(_ cells: [ComparedCell], runs: [[ComparedCell]] = []) {
    self.init(
      cells, perturbed: Self.values(of: runs), perturbations: runs.count,
      metrics: Self.measuredMetrics(of: runs))
  }

  /// Returns the metrics with a value in any cell, or with none because of its sound.
  private static func measuredMetrics(of runs: [[ComparedCell]]) -> Set<String> {
    var found: Set<String> = []
    for cell in runs.joined() {
      for (figure, outcome) in cell.figures where !found.contains(figure.metric) {
        switch outcome {
        case .value: found.insert(figure.metric)
        case .undefined(let reason): if reason.isOfSound { found.insert(figure.metric) }
        }
      }
    }
    return found
  }

  /// Returns the takes with more metrics known as measured. A baseline keeps values only, so of a
  /// metric that has none under its perturbations the other side tells whether it was measured.
  func measuring(_ more: Set<String>) -> Takes {
    var takes = self
    if perturbations > 0 { takes.metrics.formUnion(more) }
    return takes
  }

  /// Returns the takes of the cells for which `isKept` is true.
  package func keeping(_ isKept: (CellAddress) -> Bool) -> Takes {
    Takes(
      cells.filter { isKept($0.address) }, perturbed: perturbed.filter { isKept($0.key) },
      perturbations: perturbations, metrics: metrics)
  }

  /// Returns the values of every figure that has one in any of the runs.
  static func values(of runs: [[ComparedCell]]) -> [CellAddress: [FigureID: [Double?]]] {
    var found: [CellAddress: [FigureID: [Double?]]] = [:]
    let none = [Double?](repeating: nil, count: runs.count)
    for (number, run) in runs.enumerated() {
      for cell in run {
        for (figure, outcome) in cell.figures {
          guard let value = outcome.number else { continue }
          found[cell.address, default: [:]][figure, default: none][number] = value.reviewed
        }
      }
    }
    return found
  }

  /// Calls `take` with the values of a cell's figures in all takes, the unperturbed one first.
  func forEachFigure(of cell: ComparedCell, _ take: (FigureID, [Double?]) -> Void) {
    guard cell.failure == nil else { return }
    let (figures, others) = (cell.figures, perturbed[cell.address] ?? [:])
    let none = [Double?](repeating: nil, count: perturbations)
    for figure in Set(figures.keys).union(others.keys) {
      let first = figures[figure]?.number
      let more = others[figure] ?? (metrics.contains(figure.metric) ? none : [])
      take(figure, [first] + more)
    }
  }

  /// Returns the values of a cell's figure under each perturbation, `nil` where it has none; nothing if the
  /// metric can't be measured under perturbations.
  func perturbed(_ figure: FigureID, at address: CellAddress) -> [Double?] {
    perturbed[address]?[figure]
      ?? (metrics.contains(figure.metric) ? Array(repeating: nil, count: perturbations) : [])
  }

  /// Returns the voices that have a value of a metric under any perturbation.
  func voices(of metric: String, at address: CellAddress) -> [String?] {
    (perturbed[address] ?? [:]).keys.filter { $0.metric == metric }.map(\.voice)
  }

  /// The cells with the median of each figure over its takes. A figure that most takes lack has no value.
  var medians: [ComparedCell] {
    guard perturbations > 0 else { return cells }
    return cells.map { cell in
      guard cell.failure == nil else { return cell }
      var figures = cell.figures
      forEachFigure(of: cell) { figure, takes in
        let values = takes.compactMap(\.self)
        if 2 * values.count > takes.count, let median = Statistics.median(values) {
          figures[figure] = .value(median)
        } else if !values.isEmpty {
          figures[figure] = .undefined(
            Undefined(
              .notMeasured, "\(takes.count - values.count) of \(takes.count) takes have no value"))
        }
      }
      return ComparedCell(cell.address, figures: figures, key: cell.key)
    }
  }

  /// The same takes, each in place of the one before it: a candidate that differs from them by noise alone.
  var rotated: Takes {
    var cells: [ComparedCell] = []
    var others: [CellAddress: [FigureID: [Double?]]] = [:]
    for cell in self.cells {
      var first = cell.figures
      forEachFigure(of: cell) { figure, takes in
        guard takes.count > 1 else { return }
        first[figure] = takes[1].map { .value($0) }
        others[cell.address, default: [:]][figure] = Array(takes[2...] + takes[..<1])
      }
      cells.append(ComparedCell(cell.address, figures: first, key: cell.key))
    }
    return Takes(cells, perturbed: others, perturbations: perturbations, metrics: metrics)
  }
}

extension Double {
  /// The number with the six digits that files of noise keep, so that both sides are alike.
  var reviewed: Double { Double(String(format: "%.6g", self)) ?? self }
}
