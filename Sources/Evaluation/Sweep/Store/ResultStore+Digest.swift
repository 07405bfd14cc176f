import Foundation
import GRDB
import Metrics

/// A digest of a large run for fast reading: for each metric a column of all cells in the order of
/// the plan, in parts.
///
/// A run of 100,000 cells has 18 million measurements. SQLite takes seconds to read them, and a
/// report needs a third. A digest is created when such a run is complete or first read, and deleted
/// when one of its cells is written. The table `measurement` remains the source.
extension ResultStore {
  /// Cells in one part, which is held in memory while it is created.
  private static let cellsPerPart = 4096

  /// Creates the digest of a run if it is large, complete and has none.
  func digest(_ run: String) throws {
    guard try read({ try needsDigest(run, in: $0) }) else { return }
    try write { database in
      let reasons = try Self.reasons(database)
      var parts = DigestParts(run: run, cellsPerPart: Self.cellsPerPart)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT measurement.cell, metric, voice, value, undefined, count, position,
            kind = 'probe'
          FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
          LEFT JOIN measurement ON measurement.cell = cell.id
          WHERE run = ? ORDER BY position
          """, arguments: [run])
      var (place, current) = (-1, Int64?.none)
      while let found = try rows.next() {
        let row = StoredRow(row: found, table: "measurement", keys: 3)
        let position: Int64 = try row.whole(6)
        if position != current {
          (place, current) = (place + 1, position)
          try parts.begin(cell: place, in: database)
        }
        guard let metric: Int64 = try row.wholeOrNone(1) else { continue }
        let measured = try MeasuredRow(row, from: 2, reasons)
        parts.append(
          metric: metric, isProbe: try row.whole(7) != 0, voice: measured.voice,
          value: measured.value, reason: measured.reason, count: measured.count)
      }
      try parts.end(in: database)
    }
  }

  private func needsDigest(_ run: String, in database: Database) throws -> Bool {
    let planned =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM runCell WHERE run = ?", arguments: [run]) ?? 0
    guard planned >= digestedCells, try !Self.isDigested(run, in: database) else { return false }
    let there = try Int.fetchOne(
      database,
      sql: "SELECT count(*) FROM runCell JOIN cell ON cell.key = runCell.cell WHERE run = ?",
      arguments: [run])
    return there == planned
  }

  static func isDigested(_ run: String, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM digest WHERE run = ?)", arguments: [run])
      ?? false
  }

  /// Returns columns by metric id; `nil` if the run has no valid digest.
  static func digested(
    _ run: String, metrics: [Int64], reasons: [Undefined?], in database: Database
  ) throws -> [Int64: MeasurementColumn]? {
    guard try isDigested(run, in: database) else { return nil }
    let cells =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM runCell WHERE run = ?", arguments: [run]) ?? 0
    var columns: [Int64: MeasurementColumn] = [:]
    for metric in metrics {
      let parts = try Row.fetchCursor(
        database,
        sql: "SELECT part, content FROM digest WHERE run = ? AND metric = ? ORDER BY part",
        arguments: [run, metric])
      while let found = try parts.next() {
        let row = StoredRow(row: found, table: "digest")
        let part: Int = try row.whole(0, in: 0...max(0, cells / cellsPerPart))
        let isColumn = try found.withUnsafeData(atIndex: 1) { data in
          data?.withUnsafeBytes {
            columns[metric, default: .init()]
              .append($0, first: part * cellsPerPart, reasons: reasons)
          } ?? false
        }
        // A damaged digest is ignored, since the table has the measurements.
        guard isColumn else { return nil }
      }
    }
    return columns
  }

  /// Deletes the digests of all runs with this cell; called before the cell is written.
  static func forgetDigests(ofCell key: String, in database: Database) throws {
    for table in ["digest", "digestUndefined"] {
      try database.cachedStatement(
        sql: "DELETE FROM \(table) WHERE run IN (SELECT run FROM runCell WHERE cell = ?)"
      ).execute(arguments: [key])
    }
  }
}

/// The part of a digest that is being created.
private struct DigestParts {
  private struct Gap: Hashable {
    var metric: Int64
    var reason: Int32
    var isProbe: Bool
  }

  private let run: String
  private let cellsPerPart: Int
  private var columns: [Int64: MeasurementColumn] = [:]
  private var undefined: [Gap: Int] = [:]
  private var (part, cell) = (0, 0)

  init(run: String, cellsPerPart: Int) { (self.run, self.cellsPerPart) = (run, cellsPerPart) }

  mutating func begin(cell place: Int, in database: Database) throws {
    if place / cellsPerPart != part { try write(in: database) }
    (part, cell) = (place / cellsPerPart, place % cellsPerPart)
  }

  mutating func append(
    metric: Int64, isProbe: Bool, voice: Int16, value: Double?, reason: Int32?, count: Int32
  ) {
    columns[metric, default: .init()].append(
      cell: cell, voice: voice, value: value, reason: reason, count: count)
    if let reason {
      undefined[Gap(metric: metric, reason: reason, isProbe: isProbe), default: 0] += 1
    }
  }

  mutating func end(in database: Database) throws {
    try write(in: database)
    for (what, count) in undefined {
      try database.execute(
        sql: "INSERT INTO digestUndefined VALUES (?, ?, ?, ?, ?)",
        arguments: [run, what.metric, what.reason, what.isProbe, count])
    }
  }

  private mutating func write(in database: Database) throws {
    for (metric, column) in columns.sorted(by: { $0.key < $1.key }) {
      try database.execute(
        sql: "INSERT INTO digest VALUES (?, ?, ?, ?)",
        arguments: [run, metric, part, column.data])
    }
    columns = [:]
  }
}
