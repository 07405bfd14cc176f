/// All that was measured of one cell, by metric.
///
/// What comes from a store lies in one table for the whole run, 24 bytes a measurement: a run of
/// 100,000 cells has millions of them.
public struct Measurements: Sendable {
  private enum Storage: Sendable {
    case own([String: [Measurement]])
    case table(MeasurementTable, rows: Range<Int>)
  }

  private let storage: Storage

  public init(_ byMetric: [String: [Measurement]]) { storage = .own(byMetric) }

  init(_ table: MeasurementTable, rows: Range<Int>) { storage = .table(table, rows: rows) }

  public var byMetric: [String: [Measurement]] {
    switch storage {
    case .own(let all): return all
    case .table(let table, let rows):
      var all: [String: [Measurement]] = [:]
      for row in table.rows[rows] {
        all[table.metrics[Int(row.metric)], default: []].append(table.measurement(row))
      }
      return all
    }
  }

  /// The first of a metric and voice; `nil` where there is none.
  public func first(_ metric: String, voice: Int?) -> Measurement? {
    switch storage {
    case .own(let all): return all[metric]?.first { $0.voice == voice }
    case .table(let table, let rows):
      guard let id = table.ids[metric] else { return nil }
      let wanted = voice.map { Int16($0) } ?? -1
      return table.rows[rows].first { $0.metric == id && $0.voice == wanted }
        .map(table.measurement)
    }
  }

  /// Of one metric, without a look at the others.
  public func all(_ metric: String) -> [Measurement] {
    switch storage {
    case .own(let all): return all[metric] ?? []
    case .table(let table, let rows):
      guard let id = table.ids[metric] else { return [] }
      return table.rows[rows].lazy.filter { $0.metric == id }.map(table.measurement)
    }
  }

  /// Every measurement with a value; `nil` is the voice of what is measured of the whole.
  func forEachValue(_ take: (_ metric: String, _ voice: Int?, _ value: Double) -> Void) {
    switch storage {
    case .own(let all):
      for (metric, found) in all {
        for measurement in found {
          guard case .value(let value) = measurement.outcome else { continue }
          take(metric, measurement.voice, value)
        }
      }
    case .table(let table, let rows):
      for row in table.rows[rows] where row.reason < 0 {
        take(table.metrics[Int(row.metric)], row.voice < 0 ? nil : Int(row.voice), row.value)
      }
    }
  }

  /// Every measurement without a value.
  func forEachUndefined(_ take: (_ metric: String, _ reason: String) -> Void) {
    switch storage {
    case .own(let all):
      for (metric, found) in all {
        for case .undefined(let reason) in found.map(\.outcome) { take(metric, reason) }
      }
    case .table(let table, let rows):
      for row in table.rows[rows] where row.reason >= 0 {
        take(table.metrics[Int(row.metric)], table.reasons[Int(row.reason)])
      }
    }
  }
}

/// Measurements of many cells; names and reasons are kept once.
final class MeasurementTable: Sendable {
  struct Row: Sendable {
    var value: Double
    /// Among `reasons`; -1 where there is a value.
    var reason: Int32
    var count: Int32
    var metric: Int16
    /// -1 where it is of the whole.
    var voice: Int16
  }

  let metrics: [String]
  let ids: [String: Int16]
  let reasons: [String]
  let rows: [Row]

  init(metrics: [String], reasons: [String], rows: [Row]) {
    self.metrics = metrics
    ids = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($1, Int16($0)) })
    self.reasons = reasons
    self.rows = rows
  }

  func measurement(_ row: Row) -> Measurement {
    Measurement(
      voice: row.voice < 0 ? nil : Int(row.voice),
      outcome: row.reason < 0 ? .value(row.value) : .undefined(reasons[Int(row.reason)]),
      count: Int(row.count))
  }
}
