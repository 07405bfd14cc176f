import Foundation
import GRDB

/// Results by cell, in one SQLite file: what is there is not computed again.
///
/// Each cell is written in one transaction, so a killed run loses only the cells in flight.
public final class ResultStore: Sendable {
  public let url: URL
  let queue: DatabaseQueue

  public init(_ url: URL) throws {
    self.url = url
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.busyMode = .timeout(30)
      queue = try DatabaseQueue(path: url.path, configuration: configuration)
      try Self.migrator.migrate(queue)
    } catch { throw EvaluationError.store(path: url.path, problem: "\(error)") }
  }

  /// The sounds to listen to, beside the store.
  var sounds: KeptSounds {
    KeptSounds(folder: url.deletingPathExtension().appendingPathExtension("audio"))
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE run (
            name TEXT PRIMARY KEY, plan TEXT NOT NULL, startedAt TEXT NOT NULL, finishedAt TEXT
          );
          CREATE TABLE runCell (
            run TEXT NOT NULL REFERENCES run(name) ON DELETE CASCADE,
            position INTEGER NOT NULL, cell TEXT NOT NULL, PRIMARY KEY (run, position)
          );
          CREATE TABLE cell (
            key TEXT PRIMARY KEY, recording TEXT NOT NULL, kind TEXT NOT NULL,
            condition TEXT NOT NULL, score TEXT NOT NULL, scoreContent TEXT NOT NULL,
            subject TEXT NOT NULL, settings TEXT NOT NULL, sampleRateHz REAL NOT NULL, failure TEXT
          );
          CREATE TABLE measurement (
            cell TEXT NOT NULL REFERENCES cell(key) ON DELETE CASCADE,
            metric TEXT NOT NULL, voice INTEGER, value REAL, undefined TEXT,
            count INTEGER NOT NULL, CHECK ((value IS NULL) <> (undefined IS NULL))
          );
          CREATE INDEX measurementByCell ON measurement(cell);
          CREATE TABLE trace (
            cell TEXT NOT NULL REFERENCES cell(key) ON DELETE CASCADE,
            voice INTEGER NOT NULL, hopSeconds REAL NOT NULL, targetHz BLOB NOT NULL,
            heardHz BLOB NOT NULL, PRIMARY KEY (cell, voice)
          );
          """)
    }
    return migrator
  }

  /// Notes that a run of `plan` begins; of a run of the same name only its cells stay.
  func begin(_ plan: Plan, _ cells: [Cell]) throws {
    let text = String(decoding: try JSONEncoder.canonical.encode(plan), as: UTF8.self)
    try queue.write { database in
      try database.execute(sql: "DELETE FROM run WHERE name = ?", arguments: [plan.name])
      try database.execute(
        sql: "INSERT INTO run (name, plan, startedAt) VALUES (?, ?, datetime('now'))",
        arguments: [plan.name, text])
      for (position, cell) in cells.enumerated() {
        try database.execute(
          sql: "INSERT INTO runCell VALUES (?, ?, ?)",
          arguments: [plan.name, position, cell.key])
      }
    }
  }

  func finish(_ plan: Plan) throws {
    try queue.write { database in
      try database.execute(
        sql: "UPDATE run SET finishedAt = datetime('now') WHERE name = ?",
        arguments: [plan.name])
    }
  }

  /// Keys of cells that were measured; a cell that failed is tried again.
  func measuredKeys() throws -> Set<String> {
    try queue.read { database in
      try Set(String.fetchAll(database, sql: "SELECT key FROM cell WHERE failure IS NULL"))
    }
  }

  func save(_ finished: FinishedCell) throws {
    let result = finished.result
    var failure: String?
    if case .failed(let reason) = result.outcome { failure = reason }
    let settings = String(
      decoding: try JSONEncoder.canonical.encode(result.settings), as: UTF8.self)
    try queue.write { database in
      try database.execute(sql: "DELETE FROM cell WHERE key = ?", arguments: [result.key])
      try database.execute(
        sql: "INSERT INTO cell VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          result.key, result.recording, result.kind, result.condition, result.score.id,
          result.score.canonical, result.subject, settings, result.sampleRateHz, failure,
        ])
      for (metric, measurements) in result.measurements.sorted(by: { $0.key < $1.key }) {
        for measurement in measurements {
          var (value, reason): (Double?, String?) = (nil, nil)
          switch measurement.outcome {
          case .value(let number): value = number
          case .undefined(let words): reason = words
          }
          try database.execute(
            sql: "INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
              result.key, metric, measurement.voice, value, reason, measurement.count,
            ])
        }
      }
      for trace in finished.traces {
        try database.execute(
          sql: "INSERT INTO trace VALUES (?, ?, ?, ?, ?)",
          arguments: [
            result.key, trace.voice, trace.hopSeconds, trace.targetHz.data, trace.heardHz.data,
          ])
      }
    }
  }
}

extension JSONEncoder {
  /// One spelling for one value.
  static var canonical: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

extension [Float] {
  fileprivate var data: Data { withUnsafeBytes { Data($0) } }
}
