import GRDB
import Metrics
import Platform

extension ResultStore {
  /// Version of the schema; raised with every change. It is stored in `PRAGMA user_version`.
  static let format = 10

  /// `PRAGMA application_id`: the letters CHOI.
  static let application = 0x4348_4F49

  /// Creates all tables in an empty file.
  ///
  /// SQLite checks types and ranges, so that edits by hand are refused at once. Measurements are in the
  /// order of metrics, because most readers of a large run want a few metrics of all cells.
  static func createTables(in database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE run (
          name TEXT PRIMARY KEY NOT NULL, plan TEXT NOT NULL, startedAt TEXT NOT NULL,
          finishedAt TEXT, source TEXT
        ) STRICT;
        CREATE TABLE runCell (
          run TEXT NOT NULL REFERENCES run(name) ON DELETE CASCADE,
          position INTEGER NOT NULL, cell TEXT NOT NULL, PRIMARY KEY (run, position)
        ) STRICT;
        CREATE INDEX runByCell ON runCell(cell);
        CREATE TABLE provenance (
          id INTEGER PRIMARY KEY, subjectVersion TEXT NOT NULL, toolkit TEXT NOT NULL,
          "commit" TEXT NOT NULL, build TEXT NOT NULL, sources TEXT NOT NULL,
          machine TEXT NOT NULL,
          UNIQUE (subjectVersion, toolkit, "commit", build, sources, machine)
        ) STRICT;
        CREATE TABLE cell (
          id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, recording TEXT NOT NULL,
          kind TEXT NOT NULL, condition TEXT NOT NULL, score TEXT NOT NULL,
          scoreContent TEXT NOT NULL, subject TEXT NOT NULL, settings TEXT NOT NULL,
          sampleRateHz REAL NOT NULL CHECK (sampleRateHz BETWEEN 0 AND 1e7), failure TEXT,
          subjectFailure TEXT, seconds REAL, provenance INTEGER REFERENCES provenance(id), note TEXT,
          input TEXT, oracle TEXT, isRandom INTEGER CHECK (isRandom IN (0, 1))
        ) STRICT;
        CREATE TABLE metric (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE reason (
          id INTEGER PRIMARY KEY, code TEXT NOT NULL, detail TEXT NOT NULL, UNIQUE (code, detail)
        ) STRICT;
        CREATE TABLE measurement (
          cell INTEGER NOT NULL, metric INTEGER NOT NULL REFERENCES metric(id),
          voice INTEGER NOT NULL DEFAULT -1 CHECK (voice BETWEEN -1 AND 32767),
          value REAL CHECK (abs(value) <= \(MetricResult.range.upperBound)), undefined INTEGER REFERENCES reason(id),
          count INTEGER NOT NULL CHECK (count BETWEEN 0 AND 2147483647),
          CHECK ((value IS NULL) <> (undefined IS NULL)), PRIMARY KEY (metric, cell, voice)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER measurementsOfCell AFTER DELETE ON cell BEGIN
          DELETE FROM measurement WHERE metric IN (SELECT id FROM metric) AND cell = OLD.id;
        END;
        CREATE TABLE trace (
          cell TEXT NOT NULL REFERENCES cell(key) ON DELETE CASCADE,
          voice INTEGER NOT NULL CHECK (voice BETWEEN 0 AND 32767),
          hopSeconds REAL NOT NULL CHECK (hopSeconds > 0 AND hopSeconds <= 1),
          targetHz BLOB NOT NULL, measuredHz BLOB NOT NULL, PRIMARY KEY (cell, voice)
        ) STRICT;
        CREATE TABLE costRound (
          cell INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
          round INTEGER NOT NULL, cpuSeconds REAL NOT NULL CHECK (cpuSeconds >= 0),
          peakMemoryMB REAL, deadlineMs REAL, firstBlockMs REAL, silenceRatio REAL, blockMs BLOB,
          noBlocks TEXT, PRIMARY KEY (cell, round)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW result AS SELECT cell.key AS cell, recording, kind, condition, score, subject,
          settings, metric.name AS metric, nullif(voice, -1) AS voice, value,
          reason.code AS undefinedCode, reason.detail AS undefined, count, subjectVersion,
          toolkit, "commit", build, sources, machine
          FROM measurement JOIN cell ON cell.id = measurement.cell
          JOIN metric ON metric.id = measurement.metric
          LEFT JOIN reason ON reason.id = measurement.undefined
          LEFT JOIN provenance ON provenance.id = cell.provenance;
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(format);
        """)
  }

  /// Contents of an opened file.
  enum Contents: Equatable {
    case empty, ofThisFormat
    /// Results of an earlier version of this package.
    case ofFormat(Int)
    /// Results of a later version.
    case newer(Int)
    /// A database of another program.
    case foreign
  }

  static func contents(_ database: Database) throws -> Contents {
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    if tables == 0 { return .empty }
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    if try Int.fetchOne(database, sql: "PRAGMA application_id") == application {
      return version == format
        ? .ofThisFormat : version > format ? .newer(version) : .ofFormat(version)
    }
    return .foreign
  }

  /// - Throws: if these contents can't be read as results.
  static func refuse(_ contents: Contents, path: String) throws {
    let problem: String
    switch contents {
    case .ofThisFormat: return
    case .empty:
      problem =
        "the file is empty; run a plan into it first (choir-eval run PLAN --store \(path.forShell))"
    case .ofFormat(let format):
      problem =
        "was written by an earlier choir-eval (format \(format); this one reads \(Self.format)), "
        + "without the versions of what it measured; run the plan again into another --store, "
        + "or export the store with the program that wrote it"
    case .newer(let format):
      problem =
        "was written by a later choir-eval (format \(format); this one reads \(Self.format)); "
        + "use that one, or choose another --store"
    case .foreign:
      problem = "is a database of another program, not a result store; choose another --store"
    }
    throw StoreError.unusable(path: path, problem: problem)
  }
}
