import Analyzer
import Foundation
import GRDB

extension ResultStore {
  /// How often time on a core was measured with care, by the key of the cell; those that failed are
  /// not there.
  func costRounds() throws -> [String: Int] {
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT key, count(round) FROM cell LEFT JOIN costRound ON costRound.cell = cell.id
          WHERE failure IS NULL GROUP BY cell.id
          """)
      var rounds: [String: Int] = [:]
      while let row = try rows.next() { rounds[row[0]] = row[1] }
      return rounds
    }
  }

  /// Keeps one round; the median of all takes the place of the real-time factor.
  func save(round: Int, of key: String, cpuSeconds: Double, soundSeconds: Double) throws {
    try write { database in
      guard
        let cell = try Int64.fetchOne(
          database, sql: "SELECT id FROM cell WHERE key = ?", arguments: [key])
      else { return }
      try database.execute(
        sql: "INSERT OR REPLACE INTO costRound VALUES (?, ?, ?)",
        arguments: [cell, round, cpuSeconds])
      let rounds = try Double.fetchAll(
        database, sql: "SELECT cpuSeconds FROM costRound WHERE cell = ?", arguments: [cell])
      guard let median = Statistics.median(rounds) else { return }
      try database.execute(
        sql: """
          UPDATE measurement SET value = ?, count = ? WHERE cell = ? AND value IS NOT NULL
          AND metric = (SELECT id FROM metric WHERE name = 'cpu.realtime_factor')
          """, arguments: [median / soundSeconds, rounds.count, cell])
    }
  }

  /// Mean time that cells took, by recording and subject.
  func meanSeconds() throws -> [CellKind: Double] {
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT recording, subject, avg(seconds) FROM cell
          WHERE failure IS NULL AND seconds IS NOT NULL GROUP BY recording, subject
          """)
      var means: [CellKind: Double] = [:]
      while let row = try rows.next() {
        means[CellKind(recording: row[0], subject: row[1])] = row[2]
      }
      return means
    }
  }

  /// Cells of one kind take about as long as each other.
  struct CellKind: Hashable, Sendable {
    var recording: String
    var subject: String
  }

  /// Of the tables, without sounds: bytes in all, and cells.
  func size() throws -> (bytes: Int, cells: Int) {
    try queue.read { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      let cells = try Int.fetchOne(database, sql: "SELECT count(*) FROM cell") ?? 0
      return ((pages - free) * pageSize, cells)
    }
  }
}
