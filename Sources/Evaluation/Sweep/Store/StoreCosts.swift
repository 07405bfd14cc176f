import Foundation
import GRDB
import Metrics
import Platform
import Subjects

extension ResultStore {
  /// Returns the number of careful timing rounds by cell key, without failed cells.
  func costRounds() throws -> [String: Int] {
    try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT key, count(round) FROM cell LEFT JOIN costRound ON costRound.cell = cell.id
          WHERE failure IS NULL GROUP BY cell.id
          """)
      var rounds: [String: Int] = [:]
      while let found = try rows.next() {
        let row = StoredRow(row: found, table: "cell")
        rounds[try row.text(0)] = try row.whole(1)
      }
      return rounds
    }
  }

  /// Stores one round. The median of all rounds replaces the real-time factors. The last round adds
  /// the figures of blocks and memory and discards the times of single blocks.
  func save(_ round: CostRound, of cell: Cell, soundSeconds: Double) throws {
    let voices = Double(max(1, cell.score.voiceLabels.count))
    try write { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM cell WHERE key = ?", arguments: [cell.key])
      else { return }
      // A round that failed has no row, so the number is not that of the sweep's round.
      let number = try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM costRound WHERE cell = ?", arguments: [id])
      try Self.insert(round, number: number ?? 0, ofCell: id, into: database)
      let rounds = try Self.rounds(ofCell: id, in: database)
      guard let cost = CellCost(rounds) else { return }
      for (metric, parts) in [
        ("cpu.realtime_factor", 1), ("cpu.realtime_factor.per_voice", voices),
      ] {
        try database.execute(
          sql: """
            UPDATE measurement SET value = ?, count = ? WHERE cell = ? AND value IS NOT NULL
            AND metric = (SELECT id FROM metric WHERE name = ?)
            """, arguments: [cost.cpuSeconds / soundSeconds / parts, rounds.count, id, metric])
      }
      guard rounds.count == Sweep.costRounds else { return }
      let figures = cell.metrics.ofRounds.map { ($0.id, [$0.measurement(of: cost)]) }
      try Self.insert(Dictionary(uniqueKeysWithValues: figures), ofCell: id, into: database)
      try database.execute(
        sql: "UPDATE costRound SET blockMs = NULL WHERE cell = ?", arguments: [id])
    }
  }

  private static func insert(
    _ round: CostRound, number: Int, ofCell cell: Int64, into database: Database
  ) throws {
    let blocks = round.blocks
    try database.execute(
      sql: "INSERT OR REPLACE INTO costRound VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        cell, number, round.cpuSeconds, blocks?.peakMemoryMB ?? round.peakMemoryMB,
        blocks?.deadlineMs, blocks?.firstBlockMs, blocks?.silenceRatio,
        blocks?.blockMs.data, round.noBlocks,
      ])
  }

  private static func rounds(ofCell cell: Int64, in database: Database) throws -> [CostRound] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT cell, round, cpuSeconds, peakMemoryMB, deadlineMs, firstBlockMs, silenceRatio,
          noBlocks, blockMs
        FROM costRound WHERE cell = ? ORDER BY round
        """, arguments: [cell]
    ).map { try round(StoredRow(row: $0, table: "costRound", keys: 2)) }
  }

  static func round(_ row: StoredRow) throws(StoreDamage) -> CostRound {
    let memory = try row.numberOrNone(3, in: 0...1e9)
    var round = CostRound(
      cpuSeconds: try row.number(2, in: 0...1e9), peakMemoryMB: memory,
      noBlocks: try row.textOrNone(7))
    if !row.isEmpty(8) {
      round.blocks = BlockCost(
        deadlineMs: try row.number(4, in: 0...1e9), blockMs: try row.floats(8),
        firstBlockMs: try row.number(5, in: 0...1e9),
        silenceRatio: try row.number(6, in: 0...1e9), peakMemoryMB: memory)
    }
    return round
  }

  /// Returns the mean duration of cells by recording and subject.
  func meanSeconds() throws -> [CellKind: Double] {
    try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT recording, subject, avg(seconds) FROM cell
          WHERE failure IS NULL AND seconds IS NOT NULL GROUP BY recording, subject
          """)
      var means: [CellKind: Double] = [:]
      while let found = try rows.next() {
        let row = StoredRow(row: found, table: "cell", keys: 2)
        means[CellKind(recording: try row.text(0), subject: try row.text(1))] =
          try row.number(2, in: 0...1e9)
      }
      return means
    }
  }

  /// Recording and subject of a cell; cells that share them take about the same time.
  struct CellKind: Hashable, Sendable {
    var recording: String
    var subject: String
  }

  /// Returns the size of the tables in bytes, without sounds, and the number of cells.
  func size() throws -> (bytes: Int, cells: Int) {
    try read { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
      let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
      let cells = try Int.fetchOne(database, sql: "SELECT count(*) FROM cell") ?? 0
      return ((pages - free) * pageSize, cells)
    }
  }
}
