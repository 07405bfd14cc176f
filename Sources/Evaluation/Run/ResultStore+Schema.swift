import GRDB

extension ResultStore {
  /// What the file holds, and how files of earlier versions become such.
  static var migrator: DatabaseMigrator {
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
    // Numbers in place of names: millions of measurements are a sixth as large and as slow to read.
    migrator.registerMigration("2") { database in
      try database.execute(
        sql: """
          ALTER TABLE cell RENAME TO oldCell;
          ALTER TABLE measurement RENAME TO oldMeasurement;
          ALTER TABLE trace RENAME TO oldTrace;
          CREATE TABLE metric (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          CREATE TABLE cell (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, recording TEXT NOT NULL,
            kind TEXT NOT NULL, condition TEXT NOT NULL, score TEXT NOT NULL,
            scoreContent TEXT NOT NULL, subject TEXT NOT NULL, settings TEXT NOT NULL,
            sampleRateHz REAL NOT NULL, failure TEXT, seconds REAL
          );
          CREATE TABLE measurement (
            cell INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
            metric INTEGER NOT NULL REFERENCES metric(id), voice INTEGER, value REAL,
            undefined TEXT, count INTEGER NOT NULL,
            CHECK ((value IS NULL) <> (undefined IS NULL))
          );
          CREATE TABLE trace (
            cell TEXT NOT NULL REFERENCES cell(key) ON DELETE CASCADE,
            voice INTEGER NOT NULL, hopSeconds REAL NOT NULL, targetHz BLOB NOT NULL,
            heardHz BLOB NOT NULL, PRIMARY KEY (cell, voice)
          );
          CREATE TABLE costRound (
            cell INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
            round INTEGER NOT NULL, cpuSeconds REAL NOT NULL, PRIMARY KEY (cell, round)
          ) WITHOUT ROWID;
          INSERT INTO cell (key, recording, kind, condition, score, scoreContent, subject, settings,
            sampleRateHz, failure) SELECT * FROM oldCell;
          INSERT INTO metric (name) SELECT DISTINCT metric FROM oldMeasurement ORDER BY metric;
          INSERT INTO measurement SELECT cell.id, metric.id, voice, value, undefined, count
            FROM oldMeasurement JOIN cell ON cell.key = oldMeasurement.cell
            JOIN metric ON metric.name = oldMeasurement.metric;
          INSERT INTO trace SELECT * FROM oldTrace;
          DROP TABLE oldMeasurement;
          DROP TABLE oldTrace;
          DROP TABLE oldCell;
          CREATE INDEX measurementByCell ON measurement(cell);
          CREATE VIEW result AS SELECT cell.key AS cell, recording, kind, condition, score, subject,
            settings, metric.name AS metric, voice, value, undefined, count
            FROM measurement JOIN cell ON cell.id = measurement.cell
            JOIN metric ON metric.id = measurement.metric;
          UPDATE run SET plan = json_remove(
            json_set(plan, '$.subjects', json_array(json_extract(plan, '$.subject'))), '$.subject')
            WHERE json_extract(plan, '$.subject') IS NOT NULL;
          """)
    }
    migrator.registerMigration("3") { database in
      for column in [
        "peakMemoryMB REAL", "deadlineMs REAL", "firstBlockMs REAL", "silenceRatio REAL",
        "allocationsPerBlock REAL", "blockMs BLOB", "noBlocks TEXT",
      ] {
        try database.execute(sql: "ALTER TABLE costRound ADD COLUMN \(column)")
      }
    }
    // Each measurement in one place only, in the order in which it is read, and each reason once:
    // half as large. Digests are for large runs.
    migrator.registerMigration("4") { database in
      try database.execute(
        sql: """
          CREATE TABLE reason (id INTEGER PRIMARY KEY, words TEXT NOT NULL UNIQUE);
          INSERT INTO reason (words)
            SELECT DISTINCT undefined FROM measurement WHERE undefined IS NOT NULL;
          DROP VIEW result;
          DROP INDEX measurementByCell;
          ALTER TABLE measurement RENAME TO oldMeasurement;
          CREATE TABLE measurement (
            cell INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
            metric INTEGER NOT NULL REFERENCES metric(id), voice INTEGER NOT NULL DEFAULT -1,
            value REAL, undefined INTEGER REFERENCES reason(id), count INTEGER NOT NULL,
            CHECK ((value IS NULL) <> (undefined IS NULL)), PRIMARY KEY (cell, metric, voice)
          ) WITHOUT ROWID;
          INSERT OR IGNORE INTO measurement
            SELECT cell, metric, ifnull(voice, -1), value, reason.id, count
            FROM oldMeasurement LEFT JOIN reason ON reason.words = oldMeasurement.undefined
            ORDER BY cell, metric, voice;
          DROP TABLE oldMeasurement;
          CREATE VIEW result AS SELECT cell.key AS cell, recording, kind, condition, score, subject,
            settings, metric.name AS metric, nullif(voice, -1) AS voice, value,
            reason.words AS undefined, count
            FROM measurement JOIN cell ON cell.id = measurement.cell
            JOIN metric ON metric.id = measurement.metric
            LEFT JOIN reason ON reason.id = measurement.undefined;
          CREATE INDEX runByCell ON runCell(cell);
          CREATE TABLE digest (
            run TEXT NOT NULL REFERENCES run(name) ON DELETE CASCADE,
            metric INTEGER NOT NULL REFERENCES metric(id), part INTEGER NOT NULL,
            content BLOB NOT NULL, PRIMARY KEY (run, metric, part)
          );
          CREATE TABLE digestUndefined (
            run TEXT NOT NULL REFERENCES run(name) ON DELETE CASCADE,
            metric INTEGER NOT NULL REFERENCES metric(id),
            reason INTEGER NOT NULL REFERENCES reason(id), isProbe INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (run, metric, reason, isProbe)
          ) WITHOUT ROWID;
          ALTER TABLE costRound DROP COLUMN allocationsPerBlock;
          """)
    }
    return migrator
  }
}
