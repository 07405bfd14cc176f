import Foundation
import GRDB
import Metrics

/// The result of merging another store.
public struct MergeOutcome: Equatable, Sendable {
  public var cells = 0
  /// Number of cells that both stores had.
  public var shared = 0
  /// Shared cells whose numbers differ despite the same key, because the subject is
  /// nondeterministic or its version was not raised. The store keeps its own numbers.
  public var different: [String] = []
  public var sounds = 0

  public init() {}

  /// Adds the results of several merges.
  public static func += (sum: inout MergeOutcome, one: MergeOutcome) {
    sum.cells += one.cells
    sum.shared += one.shared
    sum.different += one.different
    sum.sounds += one.sounds
  }
}

extension ResultStore {
  /// Copies everything that another store has, as if one run had computed it all.
  ///
  /// A measured cell replaces a failed one, whose reason it keeps. A run that is now complete is marked as finished.
  ///
  /// - Throws: if both have a run of the same name with different plans; nothing is changed then.
  public func merge(_ source: URL) throws -> MergeOutcome {
    guard FileManager.default.fileExists(atPath: source.path) else {
      throw StoreError.merge(path: source.path, problem: "no such store; check the path")
    }
    guard source.resolvingSymlinksInPath() != url.resolvingSymlinksInPath() else {
      throw StoreError.merge(path: source.path, problem: "can't be merged into itself")
    }
    let other = try ResultStore(reading: source)
    try other.checkAllRows()
    var outcome: MergeOutcome
    do {
      outcome = try queue.writeWithoutTransaction { database in
        // As it was opened for reading: on a read-only disk by a name that says so.
        try database.execute(sql: "ATTACH DATABASE ? AS other", arguments: [other.queue.path])
        defer { try? database.execute(sql: "DETACH DATABASE other") }
        var outcome = MergeOutcome()
        try database.inTransaction(.immediate) {
          try Self.refuseOtherPlans(database, path: source.path)
          outcome = try Self.takeCells(database)
          try Self.takeRuns(database)
          return .commit
        }
        return outcome
      }
    } catch { throw Self.named(error, path: url.path) }
    outcome.sounds = try takeSounds(of: other)
    return outcome
  }

  /// Reads every row once, so that no damaged row is copied.
  func checkAllRows() throws {
    try read { database in
      func each(_ sql: String, _ look: (Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() { try look(row) }
      }
      let reasons = try Self.reasons(database)
      try each(
        "SELECT cell, metric, voice, value, undefined, count FROM measurement"
      ) { _ = try MeasuredRow(StoredRow(row: $0, table: "measurement", keys: 3), from: 2, reasons) }
      try each("SELECT cell, voice, hopSeconds, targetHz, measuredHz FROM trace") {
        _ = try Self.trace(StoredRow(row: $0, table: "trace", keys: 2))
      }
      try each(
        """
        SELECT cell, round, cpuSeconds, peakMemoryMB, deadlineMs, firstBlockMs, silenceRatio,
          noBlocks, blockMs FROM costRound
        """
      ) { _ = try Self.round(StoredRow(row: $0, table: "costRound", keys: 2)) }
      _ = try Self.results(database, .all, [])
      try each("SELECT run, position, cell FROM runCell") { found in
        let row = StoredRow(row: found, table: "runCell", keys: 2)
        _ = (try row.text(0), try row.text(2), try row.whole(1) as Int64)
      }
      try each("SELECT name, plan, startedAt, finishedAt FROM run") { found in
        let row = StoredRow(row: found, table: "run")
        let _: Plan = try row.json(1, as: "plan")
        _ = (try row.text(0), try row.text(2), try row.textOrNone(3))
      }
    }
  }

  private static func refuseOtherPlans(_ database: Database, path: String) throws {
    let name = try String.fetchOne(
      database,
      sql: """
        SELECT theirs.name FROM other.run AS theirs JOIN main.run AS ours USING (name)
        WHERE theirs.plan <> ours.plan
          OR EXISTS (SELECT position, cell FROM other.runCell WHERE run = name
            EXCEPT SELECT position, cell FROM main.runCell WHERE run = name)
        """)
    if let name {
      throw StoreError.merge(
        path: path,
        problem:
          "its run '\(name)' has another plan, subjects or recordings than the run of that name "
          + "in this store; merge it into a new store, or rename one of the plans")
    }
  }

  private static func takeCells(_ database: Database) throws -> MergeOutcome {
    var outcome = MergeOutcome()
    outcome.different = try String.fetchAll(
      database,
      sql: """
        SELECT ours.key FROM main.cell AS ours JOIN other.cell AS theirs USING (key)
        WHERE ours.failure IS NULL AND theirs.failure IS NULL AND (
          SELECT count(*) FROM (
            \(numbers("main", "ours")) EXCEPT \(numbers("other", "theirs"))
          )) > 0 ORDER BY ours.id
        """)
    outcome.shared =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM main.cell JOIN other.cell USING (key)") ?? 0
    try database.execute(
      sql: """
        CREATE TEMP TABLE failed AS
          SELECT key, subjectFailure FROM main.cell WHERE subjectFailure IS NOT NULL
          UNION SELECT key, subjectFailure FROM other.cell WHERE subjectFailure IS NOT NULL;
        DELETE FROM main.cell WHERE failure IS NOT NULL AND key IN (
          SELECT key FROM other.cell WHERE failure IS NULL);
        CREATE TEMP TABLE taken AS SELECT id, key FROM other.cell
          WHERE key NOT IN (SELECT key FROM main.cell);
        INSERT OR IGNORE INTO main.provenance
            (subjectVersion, toolkit, "commit", build, sources, machine)
          SELECT subjectVersion, toolkit, "commit", build, sources, machine FROM other.provenance
          WHERE id IN (SELECT provenance FROM other.cell WHERE id IN (SELECT id FROM taken))
          ORDER BY id;
        INSERT INTO main.cell (key, recording, kind, condition, score, scoreContent, subject,
            settings, sampleRateHz, failure, subjectFailure, seconds, provenance, note, input, oracle,
            isRandom)
          SELECT key, recording, kind, condition, score, scoreContent, subject, settings,
            sampleRateHz, failure, subjectFailure, seconds, mine.id, note, input, oracle, isRandom
          FROM other.cell LEFT JOIN other.provenance AS theirs ON theirs.id = provenance
          LEFT JOIN main.provenance AS mine
            ON (mine.subjectVersion, mine.toolkit, mine."commit", mine.build, mine.sources,
              mine.machine)
            = (theirs.subjectVersion, theirs.toolkit, theirs."commit", theirs.build,
              theirs.sources, theirs.machine)
          WHERE cell.id IN (SELECT id FROM taken) ORDER BY cell.id;
        INSERT OR IGNORE INTO main.metric (name) SELECT name FROM other.metric ORDER BY id;
        INSERT OR IGNORE INTO main.reason (code, detail)
          SELECT code, detail FROM other.reason ORDER BY id;
        INSERT INTO main.measurement
          SELECT mine.id, name.id, voice, value, reason.id, count
          FROM other.metric AS theirs JOIN main.metric AS name ON name.name = theirs.name
          CROSS JOIN taken
          JOIN other.measurement AS m ON m.metric = theirs.id AND m.cell = taken.id
          JOIN main.cell AS mine ON mine.key = taken.key
          LEFT JOIN other.reason AS words ON words.id = m.undefined
          LEFT JOIN main.reason AS reason 
            ON (reason.code, reason.detail) = (words.code, words.detail)
          ORDER BY name.id, mine.id, voice;
        INSERT INTO main.trace SELECT trace.* FROM taken JOIN other.trace ON trace.cell = taken.key;
        INSERT INTO main.costRound SELECT mine.id, round, cpuSeconds, peakMemoryMB, deadlineMs,
            firstBlockMs, silenceRatio, blockMs, noBlocks
          FROM taken JOIN other.costRound AS c ON c.cell = taken.id
          JOIN main.cell AS mine ON mine.key = taken.key;
        UPDATE main.cell SET subjectFailure = failed.subjectFailure FROM failed
          WHERE failed.key = cell.key;
        """)
    outcome.cells = try Int.fetchOne(database, sql: "SELECT count(*) FROM taken") ?? 0
    try database.execute(sql: "DROP TABLE taken; DROP TABLE failed")
    return outcome
  }

  /// SQL for all measurements but cost, which a deterministic subject repeats. Its ids hold no
  /// quotes.
  private static func numbers(_ schema: String, _ cell: String) -> String {
    """
    SELECT name, voice, value, code, detail, count FROM \(schema).metric AS n
    CROSS JOIN \(schema).measurement AS m ON m.metric = n.id AND m.cell = \(cell).id
    LEFT JOIN \(schema).reason AS r ON r.id = m.undefined
    WHERE name NOT IN (\(Metric.cost.map { "'\($0.id)'" }.joined(separator: ", ")))
    """
  }

  private static func takeRuns(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO main.run (name, plan, startedAt, source)
          SELECT name, plan, startedAt, source FROM other.run WHERE true
          ON CONFLICT (name) DO UPDATE SET startedAt = min(startedAt, excluded.startedAt),
            source = CASE WHEN source IS excluded.source THEN source END;
        INSERT OR IGNORE INTO main.runCell SELECT * FROM other.runCell;
        UPDATE main.run SET finishedAt = datetime('now') WHERE finishedAt IS NULL
          AND name IN (SELECT name FROM other.run) AND NOT EXISTS (
            SELECT 1 FROM main.runCell LEFT JOIN main.cell ON cell.key = runCell.cell
            WHERE run = run.name AND cell.id IS NULL);
        """)
  }

  private func takeSounds(of other: ResultStore) throws -> Int {
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: other.sounds.folder.path) else {
      return 0
    }
    try files.createDirectory(at: sounds.folder, withIntermediateDirectories: true)
    var taken = 0
    for name in names.sorted() {
      let target = sounds.folder.appendingPathComponent(name)
      guard !files.fileExists(atPath: target.path) else { continue }
      try files.copyItem(at: other.sounds.folder.appendingPathComponent(name), to: target)
      taken += 1
    }
    return taken
  }
}
