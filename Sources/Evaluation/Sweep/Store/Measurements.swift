import Metrics

/// All measurements of one cell, by metric.
///
/// Those from a store lie in one table for the whole run, because a run of 100,000 cells has
/// millions of them.
public struct Measurements: Sendable {
  private enum Storage: Sendable {
    case own([String: [MetricResult]])
    case table(MeasurementTable, cell: Int)
  }

  private let storage: Storage

  public init(_ byMetric: [String: [MetricResult]]) { storage = .own(byMetric) }

  /// - Parameter cell: index of the cell in the table.
  init(_ table: MeasurementTable, cell: Int) { storage = .table(table, cell: cell) }

  /// Returns the cell's measurements in another table of the same run; `nil` if it is in none.
  package func reading(_ table: MeasurementTable) -> Measurements? {
    if case .table(_, let cell) = storage { Measurements(table, cell: cell) } else { nil }
  }

  public var byMetric: [String: [MetricResult]] {
    switch storage {
    case .own(let all): return all
    case .table(let table, let cell):
      return table.columns.compactMapValues { column in
        let rows = column.rows(ofCell: cell)
        return rows.isEmpty ? nil : rows.map { table.measurement(column, $0) }
      }
    }
  }

  /// Returns the first measurement of a metric and voice; `nil` if there is none.
  public func first(_ metric: String, voice: Int?) -> MetricResult? {
    switch storage {
    case .own(let all): return all[metric]?.first { $0.voice == voice }
    case .table(let table, let cell):
      guard let column = table.columns[metric] else { return nil }
      let wanted = MeasurementColumn.number(ofVoice: voice)
      return column.rows(ofCell: cell).first { column.voices[$0] == wanted }
        .map { table.measurement(column, $0) }
    }
  }

  /// Returns the measurements of one metric without reading the others.
  public func all(_ metric: String) -> [MetricResult] {
    switch storage {
    case .own(let all): return all[metric] ?? []
    case .table(let table, let cell):
      guard let column = table.columns[metric] else { return [] }
      return column.rows(ofCell: cell).map { table.measurement(column, $0) }
    }
  }

  /// Calls `take` with each measurement of one metric, without creating a list.
  package func forEach(
    _ metric: String, _ take: (_ voice: Int?, _ outcome: MetricResult.Outcome) -> Void
  ) {
    switch storage {
    case .own(let all):
      for measurement in all[metric] ?? [] { take(measurement.voice, measurement.outcome) }
    case .table(let table, let cell):
      guard let column = table.columns[metric] else { return }
      for row in column.rows(ofCell: cell) {
        let reason = column.reasons[row]
        take(
          column.voice(row),
          reason < 0 ? .value(column.values[row]) : .undefined(table.reason(reason)))
      }
    }
  }

  /// Calls `take` with every defined value; the voice is `nil` for the whole sound.
  func forEachValue(_ take: (_ metric: String, _ voice: Int?, _ value: Double) -> Void) {
    switch storage {
    case .own(let all):
      for (metric, found) in all {
        for measurement in found {
          guard case .value(let value) = measurement.outcome else { continue }
          take(metric, measurement.voice, value)
        }
      }
    case .table(let table, let cell):
      for (metric, column) in table.columns {
        for row in column.rows(ofCell: cell) where column.reasons[row] < 0 {
          take(metric, column.voice(row), column.values[row])
        }
      }
    }
  }

  /// Calls `take` with every undefined measurement.
  func forEachUndefined(_ take: (_ metric: String, _ reason: Undefined) -> Void) {
    switch storage {
    case .own(let all):
      for (metric, found) in all {
        for case .undefined(let reason) in found.map(\.outcome) { take(metric, reason) }
      }
    case .table(let table, let cell):
      for (metric, column) in table.columns {
        for row in column.rows(ofCell: cell) where column.reasons[row] >= 0 {
          take(metric, table.reason(column.reasons[row]))
        }
      }
    }
  }
}

/// Measurements of many cells: one column for each metric, and each reason once.
package final class MeasurementTable: Sendable {
  let columns: [String: MeasurementColumn]
  let reasons: [Undefined?]

  init(columns: [String: MeasurementColumn], reasons: [Undefined?]) {
    (self.columns, self.reasons) = (columns, reasons)
  }

  /// The reason with an id that was checked when the table was read.
  func reason(_ id: Int32) -> Undefined { reasons[Int(id)]! }

  func measurement(_ column: MeasurementColumn, _ row: Int) -> MetricResult {
    let reason = column.reasons[row]
    return MetricResult(
      voice: column.voice(row),
      outcome: reason < 0 ? .value(column.values[row]) : .undefined(self.reason(reason)),
      count: Int(column.counts[row]))
  }
}
