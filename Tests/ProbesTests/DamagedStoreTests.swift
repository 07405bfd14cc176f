import DSP
import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Corpus
@testable import Gate
@testable import Metrics
@testable import Platform
@testable import Probes
@testable import Subjects
@testable import Sweep

/// Edited stores: every reader names the problem, and none crashes.
@Suite struct DamagedStoreTests {
  private let scratch = try! TemporaryFolder()

  /// Two cells, one of them failed, with a trace and a round of costs.
  private func store(_ name: String) throws -> ResultStore {
    let store = try ResultStore(scratch.file("\(name).sqlite"))
    let plan = String(
      decoding: try JSONEncoder.canonical.encode(Plan.decoded(smallPlan)), as: UTF8.self)
    let score = Score(id: "third", intervalsSemitones: [4])
    try store.write { database in
      try database.execute(
        sql: "INSERT INTO run VALUES ('small', ?, '2026-01-01', NULL, NULL)", arguments: [plan])
      for (position, key) in ["a", "b"].enumerated() {
        try database.execute(
          sql: "INSERT INTO runCell VALUES ('small', ?, ?)", arguments: [position, key])
      }
    }
    for key in ["a", "b"] {
      var result = CellResult(
        key: key, recording: "buzz", kind: "sung", score: score, subject: "reference",
        settings: ["windowMs": .number(10)], sampleRateHz: 48_000,
        outcome: key == "b"
          ? .failed("it crashed")
          : .measured(
            Measurements([
              "pitch.abs_error": [
                .value(3, voice: 0, count: 5),
                .undefined(.tooLittleVoice, "only 2 frames", voice: 1),
              ]
            ])))
      result.provenance = .here(ReferenceSubject())
      try store.save(
        FinishedCell(
          result: result,
          traces: [VoiceTrace(voice: 0, hopSeconds: 0.005, targetHz: [1], measuredHz: [1, 2])]),
        seconds: 1)
    }
    try store.write { database in
      try database.execute(
        sql: "INSERT INTO costRound VALUES (1, 0, 0.5, 1, 2, 3, 1, ?, NULL)",
        arguments: [[Float(1)].data])
    }
    return store
  }

  /// All readers of a store that commands use.
  private func readers(_ url: URL) -> [() throws -> Void] {
    [
      {
        let store = try ResultStore(reading: url)
        let run = try store.run()
        _ = (run.summaries(), run.undefinedCounts(), run.failures, run.comparedCells())
        for cell in run.cells { _ = (cell.label, cell.measurements) }
        _ = try store.detailed(run.cells)
        _ = ProvenanceSummary(of: run.cells)
        _ = try store.undefinedCounts(ofRun: run.plan.name)
      },
      { _ = try ResultStore(reading: url).traces(of: "a") },
      { try ResultStore(reading: url).exportCSV { _ in } },
      { _ = try ResultStore(reading: url).meanSeconds() },
      { _ = try ResultStore(url).costRounds() },
      { _ = try ResultStore(url).measuredKeys() },
      {
        let target = url.deletingLastPathComponent().appendingPathComponent("into.sqlite")
        defer { try? FileManager.default.removeItem(at: target) }
        _ = try ResultStore(target).merge(url)
      },
    ]
  }

  /// Removes the types and ranges that SQLite enforces.
  private static func loosen(_ database: Database) throws {
    try database.execute(
      sql: """
        PRAGMA ignore_check_constraints = ON;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(replace(replace(
          sql, 'STRICT, WITHOUT', 'WITHOUT'), ') STRICT', ')'), 'NOT NULL', '');
        PRAGMA writable_schema = RESET;
        """)
  }

  private func damage(_ url: URL, _ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      try Self.loosen(database)
      try database.execute(sql: "PRAGMA ignore_check_constraints = ON; " + sql)
    }
  }

  @Test(arguments: [
    ("UPDATE run SET startedAt = x'0102'", "table run, row 'small': startedAt is 2 bytes"),
    ("UPDATE run SET plan = '{}'", "plan is no plan: lacks 'name'"),
    ("UPDATE measurement SET voice = 70000 WHERE voice = 0", "voice is 70000; expected"),
    ("UPDATE measurement SET value = 'high' WHERE voice = 0", "value is 'high'; expected a number"),
    (
      "UPDATE measurement SET value = 1e18 WHERE value IS NOT NULL",
      "value is 1e+18; expected a number from"
    ),
    ("DELETE FROM reason", "undefined is 1; expected the id of a row of the table reason"),
    ("UPDATE cell SET sampleRateHz = -1", "table cell, row 'a': sampleRateHz is -1.0"),
    ("UPDATE cell SET scoreContent = '[]'", "scoreContent is no score"),
    ("UPDATE cell SET provenance = 17", "provenance is 17; expected a row"),
    ("UPDATE cell SET settings = 7", "settings is"),
  ])
  func rowsAreNamed(sql: String, words: String) throws {
    let url = try store("one").url
    try damage(url, sql)
    #expect {
      try readers(url)[0]()
    } throws: { error in
      guard case StoreError.unusable(let path, let problem) = error else { return false }
      return path == url.path && problem.contains(words) && !problem.contains("delete")
    }
  }

  @Test(arguments: ["0", "-1", "'x'", "NULL", "9e999"])
  func anInvalidHopIsNamed(value: String) throws {
    let url = try store("trace").url
    try damage(url, "UPDATE trace SET hopSeconds = \(value)")
    #expect(throws: StoreError.self) { try readers(url)[1]() }
  }

  /// Writes three of several bad values, drawn with a fixed seed, into each column.
  @Test func noValueStopsAReader() throws {
    let whole = try store("whole")
    try whole.queue.writeWithoutTransaction {
      _ = try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let values = [
      "NULL", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "9e999", "0.5", "''",
      "'text'", "'[]'", "'{\"id\":1e99}'", "x''", "x'00ff7fc0'", "'\u{1B}[2J'",
    ]
    var random = SeededGenerator(seed: 16)
    var (tried, refused) = (0, 0)
    let tables = [
      "run", "runCell", "cell", "measurement", "metric", "reason", "trace", "costRound",
      "provenance",
    ]
    for table in tables {
      let columns = try whole.read { try $0.columns(in: table).map(\.name) }
      for column in columns {
        // Three values for each column; all of them would take half a minute.
        for _ in 0..<3 {
          let value = values[Int(random.uniform() * Double(values.count))]
          let url = scratch.file("damaged.sqlite")
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: url.path + end)
          }
          try FileManager.default.copyItem(at: whole.url, to: url)
          guard (try? damage(url, "UPDATE OR REPLACE \(table) SET \"\(column)\" = \(value)")) != nil
          else { continue }
          for reader in readers(url) {
            tried += 1
            do { try reader() } catch {
              refused += 1
              #expect(error is StoreError, "\(table).\(column) = \(value): \(error)")
            }
          }
        }
      }
    }
    // Few of the seven readers read each column, and most columns hold free text. One refusal in
    // ten shows that the edits arrive.
    #expect(tried > 500 && refused > tried / 10, "\(tried) \(refused)")
  }

  /// SQLite itself refuses such edits while the tables have their types.
  @Test func anEditOfAnotherTypeIsRefused() throws {
    let store = try store("strict")
    for sql in [
      "UPDATE run SET startedAt = x'01'", "UPDATE measurement SET voice = 70000",
      "UPDATE trace SET hopSeconds = 0", "UPDATE cell SET sampleRateHz = 'fast'",
    ] {
      #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: sql) } }
    }
  }
}
