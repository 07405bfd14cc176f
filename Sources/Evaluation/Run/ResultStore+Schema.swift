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
    return migrator
  }
}
