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

  private var metrics: [String] {
    switch storage {
    case .own(let all): Array(all.keys)
    case .table(let table, _): Array(table.columns.keys)
    }
  }

  /// Calls `body` with each measurement of one metric, without creating a list.
  package func forEach(_ metric: String, _ body: (MetricResult) -> Void) {
    switch storage {
    case .own(let all): all[metric]?.forEach(body)
    case .table(let table, let cell):
      guard let column = table.columns[metric] else { return }
      for row in column.rows(ofCell: cell) { body(column.measurement(row, table.reasons)) }
    }
  }

  /// Calls `body` with every measurement.
  func forAll(_ body: (_ metric: String, _ result: MetricResult) -> Void) {
    for metric in metrics { forEach(metric) { body(metric, $0) } }
  }

  public var byMetric: [String: [MetricResult]] {
    Dictionary(uniqueKeysWithValues: metrics.map { ($0, all($0)) }).filter { !$0.value.isEmpty }
  }

  /// Returns the measurements of one metric without reading the others.
  public func all(_ metric: String) -> [MetricResult] {
    var found: [MetricResult] = []
    forEach(metric) { found.append($0) }
    return found
  }

  /// Returns the first measurement of a metric and voice; `nil` if there is none.
  public func first(_ metric: String, voice: Int?) -> MetricResult? {
    var first: MetricResult?
    forEach(metric) { if first == nil, $0.voice == voice { first = $0 } }
    return first
  }
}

/// Measurements of many cells: one column for each metric, and each reason once.
final class MeasurementTable: Sendable {
  let columns: [String: MeasurementColumn]
  /// Reasons by id, with `nil` for a missing id.
  let reasons: [Undefined?]

  init(columns: [String: MeasurementColumn], reasons: [Undefined?]) {
    (self.columns, self.reasons) = (columns, reasons)
  }
}

/// Measurements of one metric over cells in order; 18 bytes a measurement and 4 a cell.
struct MeasurementColumn: Sendable {
  /// First row of each cell, then the first row of the next cell to come.
  private var starts: [UInt32] = [0]
  /// Value of each row; 0 if it is undefined.
  private var values: [Double] = []
  /// Id of the reason; -1 for a defined value.
  private var reasons: [Int32] = []
  private var counts: [Int32] = []
  /// Voice of each row; -1 for the whole sound.
  private var voices: [Int16] = []

  /// Returns the rows of a cell; none for cells beyond the last one with rows.
  func rows(ofCell cell: Int) -> Range<Int> {
    guard cell < starts.count else { return 0..<0 }
    return Int(starts[cell])..<(cell + 1 < starts.count ? Int(starts[cell + 1]) : values.count)
  }

  /// - Parameter cell: index of the cell, at least that of the preceding row.
  mutating func append(cell: Int, _ row: ResultStore.MeasuredRow) {
    while starts.count <= cell { starts.append(UInt32(values.count)) }
    values.append(row.value ?? 0)
    reasons.append(row.reason ?? -1)
    counts.append(row.count)
    voices.append(row.voice)
  }

  /// - Parameter known: the reasons by which the rows were checked.
  func measurement(_ row: Int, _ known: [Undefined?]) -> MetricResult {
    let reason = Int(reasons[row])
    return MetricResult(
      voice: voices[row] < 0 ? nil : Int(voices[row]),
      outcome: reason < 0 ? .value(values[row]) : .undefined(known[reason]!),
      count: Int(counts[row]))
  }
}
