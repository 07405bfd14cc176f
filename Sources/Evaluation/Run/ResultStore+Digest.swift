import Foundation
import GRDB

/// A copy of a large run's numbers that is read in an instant: for each metric a column of all cells,
/// in the order of the plan, cut into parts.
///
/// A run of 100,000 cells has 18 million measurements; SQLite takes seconds to walk through them, and a
/// report wants a third. Digests are made when such a run is complete, or first read, and forgotten when
/// one of its cells is written; `measurement` is what counts.
extension ResultStore {
  /// Cells in one part: what memory holds of it while it is made.
  private static let cellsPerPart = 4096

  /// Makes the digest of a run, if it is large, complete and has none.
  func digest(_ run: String) throws {
    guard try queue.read({ try needsDigest(run, in: $0) }) else { return }
    try write { database in
      var parts = DigestParts(run: run, cellsPerPart: Self.cellsPerPart)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT position, kind = 'probe', metric, voice, value, undefined, count
          FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
          LEFT JOIN measurement ON measurement.cell = cell.id
          WHERE run = ? ORDER BY position
          """, arguments: [run])
      var (place, current) = (-1, Int64(-1))
      while let row = try rows.next() {
        let position: Int64 = row[0]
        if position != current {
          (place, current) = (place + 1, position)
          try parts.begin(cell: place, in: database)
        }
        guard let metric: Int64 = row[2] else { continue }
        parts.append(
          metric: metric, isProbe: row[1], voice: row[3], value: row[4], reason: row[5],
          count: row[6])
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

  /// The columns of metrics by their ids; `nil` where the run has no digest.
  static func digested(
    _ run: String, metrics: [Int64], in database: Database
  ) throws -> [Int64: MeasurementColumn]? {
    guard try isDigested(run, in: database) else { return nil }
    var columns: [Int64: MeasurementColumn] = [:]
    for metric in metrics {
      let parts = try Row.fetchCursor(
        database,
        sql: "SELECT part, content FROM digest WHERE run = ? AND metric = ? ORDER BY part",
        arguments: [run, metric])
      while let row = try parts.next() {
        let isColumn = try row.withUnsafeData(atIndex: 1) { data in
          data?.withUnsafeBytes {
            columns[metric, default: .init()].append($0, first: row[0] * cellsPerPart)
          } ?? false
        }
        // Whoever spoilt it has the table still.
        guard isColumn else { return nil }
      }
    }
    return columns
  }

  /// To be called before a cell is written.
  static func forgetDigests(ofCell key: String, in database: Database) throws {
    for table in ["digest", "digestUndefined"] {
      try database.cachedStatement(
        sql: "DELETE FROM \(table) WHERE run IN (SELECT run FROM runCell WHERE cell = ?)"
      ).execute(arguments: [key])
    }
  }
}

/// The part of a digest that is being made.
private struct DigestParts {
  private struct Undefined: Hashable {
    var metric: Int64
    var reason: Int32
    var isProbe: Bool
  }

  private let run: String
  private let cellsPerPart: Int
  private var columns: [Int64: MeasurementColumn] = [:]
  private var undefined: [Undefined: Int] = [:]
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
      undefined[Undefined(metric: metric, reason: reason, isProbe: isProbe), default: 0] += 1
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
