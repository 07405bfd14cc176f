import Foundation
import GRDB
import Metrics
import Platform
import Subjects

/// Results by cell in one SQLite file; stored cells are not computed again.
///
/// Each cell is written in one transaction, so a killed run loses only the cells in flight.
/// `docs/reference/commands.md#the-store` describes the tables.
public final class ResultStore: Sendable {
  public let url: URL
  let queue: DatabaseQueue

  /// Opens a store for writing; creates it if it is missing.
  public init(_ url: URL) throws {
    self.url = url
    do { queue = try Self.opened(forWriting: url) } catch {
      throw Self.named(error, path: url.path)
    }
    registerOwnMetrics()
  }

  /// Opens an existing store read-only.
  public init(reading url: URL) throws {
    self.url = url
    do { queue = try Self.opened(forReading: url) } catch {
      throw Self.named(error, path: url.path)
    }
    registerOwnMetrics()
  }

  /// Sounds to listen to, beside the store.
  var sounds: RenderedAudioStore {
    RenderedAudioStore(folder: url.deletingPathExtension().appendingPathExtension("audio"))
  }

  /// Writes in one transaction; errors of SQLite get a problem and a remedy.
  func write<Value>(_ change: (Database) throws -> Value) throws -> Value {
    do { return try queue.write(change) } catch { throw Self.named(error, path: url.path) }
  }

  /// Reads at one point in time; errors get a problem and a remedy.
  func read<Value>(_ look: (Database) throws -> Value) throws -> Value {
    do { return try queue.read(look) } catch { throw Self.named(error, path: url.path) }
  }

  // MARK: Writing

  /// Records the start of a run. Of a previous run with the same name only its cells remain.
  ///
  /// - Parameter source: the commit that is measured.
  func begin(_ plan: Plan, _ cells: [Cell], from source: RunSource?) throws {
    let json = JSONEncoder.canonical
    let (text, source) = (try json.text(plan), try source.map { try json.text($0) })
    try write { database in
      let known = try String.fetchAll(
        database, sql: "SELECT cell FROM runCell WHERE run = ? ORDER BY position",
        arguments: [plan.name])
      let hasSameCells = known.elementsEqual(cells.lazy.map(\.key))
      if !hasSameCells {
        try database.execute(sql: "DELETE FROM run WHERE name = ?", arguments: [plan.name])
      }
      try database.execute(
        sql: """
          INSERT INTO run (name, plan, startedAt, source) VALUES (?, ?, datetime('now'), ?)
          ON CONFLICT (name) DO UPDATE SET plan = excluded.plan, startedAt = excluded.startedAt,
            source = excluded.source, finishedAt = NULL
          """, arguments: [plan.name, text, source])
      guard !hasSameCells else { return }
      let insert = try database.cachedStatement(sql: "INSERT INTO runCell VALUES (?, ?, ?)")
      for (position, cell) in cells.enumerated() {
        try insert.execute(arguments: [plan.name, position, cell.key])
      }
    }
  }

  func finish(_ plan: Plan) throws {
    try write { database in
      try database.execute(
        sql: "UPDATE run SET finishedAt = datetime('now') WHERE name = ?",
        arguments: [plan.name])
    }
  }

  /// Returns true if a run has these cells and no others.
  func hasRun(_ name: String, with cells: [Cell]) throws -> Bool {
    let keys = try read { database in
      try String.fetchAll(
        database, sql: "SELECT cell FROM runCell WHERE run = ? ORDER BY position",
        arguments: [name])
    }
    return keys.elementsEqual(cells.lazy.map(\.key))
  }

  /// Returns the keys of measured cells; a failed cell is tried again.
  func measuredKeys() throws -> Set<String> {
    try read { database in
      try Set(String.fetchCursor(database, sql: "SELECT key FROM cell WHERE failure IS NULL"))
    }
  }

  /// Returns the builds of the toolkit, other than this one, that measured cells of a run, with their
  /// numbers of cells.
  func cellsOfOtherBuilds(ofRun run: String) throws -> [ProvenanceSummary.Share] {
    try read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT toolkit, "commit", build, count(*) FROM runCell
          JOIN cell ON cell.key = runCell.cell JOIN provenance ON provenance.id = cell.provenance
          WHERE run = ? AND sources <> ? GROUP BY toolkit, "commit", build
          """, arguments: [run, Toolkit.current.digest]
      ).map { StoredRow(row: $0, table: "provenance", keys: 3) }
      return try rows.map { row in
        let toolkit = Toolkit(
          version: try row.text(0), commit: try row.text(1), kind: try row.text(2), digest: "")
        return .init(value: toolkit.program, cells: try row.whole(3))
      }
    }
  }

  /// Returns the reasons of earlier failures by the keys of cells that were measured since.
  func earlierFailures() throws -> [String: String] {
    let keys = try read { database in
      try String.fetchAll(
        database,
        sql: "SELECT key FROM cell WHERE failure IS NULL AND subjectFailure IS NOT NULL")
    }
    return try Dictionary(
      uniqueKeysWithValues: cells(keys: keys, metrics: []).compactMap { cell in
        // Another process may have forgotten it since.
        cell.failure.map { (cell.key, $0) }
      })
  }

  /// Replaces a cell. That it failed before is kept, since the same input and settings would give the
  /// same result but for chance.
  ///
  /// - Parameters:
  ///   - seconds: wall-clock time of rendering and measuring.
  ///   - forgettingFailures: true to keep nothing of earlier attempts.
  func save(
    _ finished: FinishedCell, seconds: Double? = nil, forgettingFailures: Bool = false
  ) throws {
    let result = finished.result
    var failure: String?
    if case .failed(let reason) = result.outcome { failure = reason }
    let settings = try JSONEncoder.canonical.text(result.settings)
    try write { database in
      let earlier =
        forgettingFailures
        ? nil
        : try String.fetchOne(
          database, sql: "SELECT subjectFailure FROM cell WHERE key = ?",
          arguments: [result.key])
      try database.execute(sql: "DELETE FROM cell WHERE key = ?", arguments: [result.key])
      try database.cachedStatement(
        sql: """
          INSERT INTO cell (key, recording, kind, condition, score, scoreContent, subject, settings,
            sampleRateHz, failure, subjectFailure, seconds, provenance, note, input, oracle,
            isRandom)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        result.key, result.recording, result.kind, result.condition, result.score.id,
        result.score.canonical, result.subject, settings, result.sampleRateHz, failure,
        result.subjectFailure ?? earlier,
        seconds, try result.provenance.map { try Self.number(of: $0, database) }, result.note,
        result.sounds.input, result.sounds.oracle, result.isRandom,
      ])
      let cell = database.lastInsertedRowID
      try Self.insert(result.measurements, ofCell: cell, into: database)
      for trace in finished.traces {
        try database.execute(
          sql: "INSERT INTO trace VALUES (?, ?, ?, ?, ?)",
          arguments: [
            result.key, trace.voice, trace.hopSeconds, trace.targetHz.data, trace.measuredHz.data,
          ])
      }
    }
  }

  static func insert(
    _ measurements: [String: [MetricResult]], ofCell cell: Int64, into database: Database
  ) throws {
    let insert = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO measurement VALUES (?, ?, ?, ?, ?, ?)")
    for (name, found) in measurements {
      let metric = try number(of: [name], in: "metric", "name", database)
      for measurement in found {
        var (value, reason): (Double?, Int64?) = (nil, nil)
        switch measurement.outcome {
        case .value(let number): value = number
        case .undefined(let gap):
          reason = try number(
            of: [gap.code.rawValue, gap.detail], in: "reason", "code, detail", database)
        }
        try insert.execute(arguments: [
          cell, metric, measurement.voice ?? -1, value, reason, measurement.count,
        ])
      }
    }
  }

  /// Returns the id of a provenance, which many cells share.
  private static func number(of provenance: Provenance, _ database: Database) throws -> Int64? {
    let toolkit = provenance.toolkit
    return try number(
      of: [
        provenance.subjectVersion, toolkit.version, toolkit.commit, toolkit.kind, toolkit.digest,
        provenance.machine,
      ], in: "provenance", #"subjectVersion, toolkit, "commit", build, sources, machine"#, database)
  }

  /// Returns the id of the row with these texts in a table that has each once; adds the row if there is
  /// none.
  private static func number(
    of texts: [String], in table: String, _ columns: String, _ database: Database
  ) throws -> Int64? {
    let places = databaseQuestionMarks(count: texts.count)
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))"
    ).execute(arguments: StatementArguments(texts))
    return try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM \(table) WHERE (\(columns)) = (\(places))"),
      arguments: StatementArguments(texts))
  }
}
