import Corpus
import Foundation
import GRDB
import Metrics
import Platform
import Subjects

extension ResultStore {
  /// Returns a run by name, or the last one started.
  ///
  /// - Parameter metrics: ids of the metrics to read; by default all, which are half a gigabyte for
  ///   100,000 cells.
  public func run(named name: String? = nil, metrics: [String]? = nil) throws -> StoredRun {
    let chosen = try runName(name)
    return try read { database in
      guard
        let found = try Row.fetchOne(
          database, sql: "SELECT name, plan, startedAt, finishedAt, source FROM run WHERE name = ?",
          arguments: [chosen])
      else { throw StoreError.changedRun(name: chosen) }
      let row = StoredRow(row: found, table: "run")
      let plan: Plan = try row.json(1, as: "plan")
      let planned = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM runCell WHERE run = ?", arguments: [chosen])
      let source: RunSource? = try row.textOrNone(4) == nil ? nil : row.json(4, as: "source")
      return StoredRun(
        plan: plan, startedAt: try row.text(2), finishedAt: try row.textOrNone(3),
        cells: try Self.results(database, .run(chosen), metrics), plannedCells: planned ?? 0,
        source: source)
    }
  }

  /// Makes the own metrics of all runs known. A damaged plan is reported where it is needed.
  func registerOwnMetrics() {
    struct Part: Decodable { var metrics: MetricChoice? }
    let plans = try? read {
      try String.fetchAll(
        $0, sql: "SELECT plan FROM run WHERE plan LIKE '%\"command\"%' ORDER BY startedAt")
    }
    for plan in plans ?? [] { _ = try? JSONDecoder().decode(Part.self, from: Data(plan.utf8)) }
  }

  /// Returns the given name, or that of the last run started.
  ///
  /// - Throws: if there is no such run.
  func runName(_ name: String?) throws -> String {
    let names = try read { database in
      try Row.fetchAll(database, sql: "SELECT name FROM run ORDER BY startedAt, rowid")
        .map { try StoredRow(row: $0, table: "run").text(0) }
    }
    guard let chosen = name ?? names.last, names.contains(chosen) else {
      throw StoreError.unknownRun(name: name, known: names)
    }
    return chosen
  }

  /// Returns the stored cells with some keys, in the order of the keys; those that are not stored are
  /// left out.
  public func cells(keys: [String], metrics: [String]? = nil) throws -> [CellResult] {
    try read { try Self.results($0, .keys(keys), metrics) }
  }

  /// Returns the same cells with all their measurements.
  public func detailed(_ cells: [CellResult]) throws -> [CellResult] {
    try self.cells(keys: cells.map(\.key))
  }

  /// Returns `StoredRun.undefinedCounts` over all metrics, including those that were not read.
  public func undefinedCounts(ofRun name: String) throws -> [UndefinedCount] {
    var counter = UndefinedCounter()
    try read { database in
      let ofRun =
        "SELECT cell.id FROM runCell CROSS JOIN cell ON cell.key = runCell.cell WHERE run = ?"
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT metric.name, reason.code, reason.detail, isProbe, counted.count FROM (
            SELECT metric, undefined, cell IN (\(ofRun) AND kind = 'probe') AS isProbe,
              count(*) AS count
            FROM measurement WHERE undefined IS NOT NULL AND cell IN (\(ofRun)) GROUP BY 1, 2, 3
          ) AS counted
          JOIN metric ON metric.id = counted.metric JOIN reason ON reason.id = counted.undefined
          ORDER BY metric.name, reason.detail
          """, arguments: [name, name])
      while let row = try rows.next() {
        let counted = StoredRow(row: row, table: "measurement", keys: 2)
        counter.note(
          try counted.text(0), try counted.undefined(1), isProbe: try counted.whole(3) != 0,
          count: try counted.whole(4))
      }
    }
    return counter.counts
  }

  /// Cells to read, and their order.
  enum Wanted {
    case run(String)
    case keys([String])
    case all

    /// SQL for a table of keys and positions.
    var table: String {
      switch self {
      case .run: "(SELECT cell AS key, position FROM runCell WHERE run = ?) AS wanted"
      case .keys: "(SELECT value AS key, id AS position FROM json_each(?)) AS wanted"
      case .all: "(SELECT key, id AS position FROM cell) AS wanted"
      }
    }

    var arguments: StatementArguments {
      get throws {
        switch self {
        case .run(let name): [name]
        case .keys(let keys): [String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)]
        case .all: []
        }
      }
    }
  }

  static func results(
    _ database: Database, _ wanted: Wanted, _ metrics: [String]?
  ) throws -> [CellResult] {
    let provenances = try provenances(database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT cell.key, recording, kind, condition, scoreContent, subject, settings,
          sampleRateHz, failure, provenance, note, subjectFailure, input, oracle, cell.id,
          isRandom
        FROM \(wanted.table) CROSS JOIN cell ON cell.key = wanted.key ORDER BY position
        """, arguments: wanted.arguments)
    // There are few distinct scores, and decoding one takes longer than reading a cell.
    var (scores, settings) = (Known<Score>(), Known<SubjectSettings>())
    var texts = Known<String>()
    var (cells, ids): ([CellResult], [Int64]) = ([], [])
    while let found = try rows.next() {
      let row = StoredRow(row: found, table: "cell")
      func text(_ column: Int) throws -> String { try texts.value(row.text(column)) { $0 } }
      let provenance: Int64? = try row.wholeOrNone(9)
      if let provenance, provenances[provenance] == nil {
        throw row.damage(9, "a row of the table provenance")
      }
      ids.append(try row.whole(14))
      cells.append(
        CellResult(
          key: try row.text(0), recording: try text(1), kind: try text(2), condition: try text(3),
          score: try scores.value(row.text(4)) { try row.decoded($0, 4, as: "score") },
          subject: try text(5),
          settings: try settings.value(row.text(6)) { try row.decoded($0, 6, as: "settings") },
          sampleRateHz: try row.number(7, in: 0...1e7),
          outcome: try row.textOrNone(8).map { .failed($0) } ?? .measured(Measurements([:])),
          provenance: provenance.flatMap { provenances[$0] }, note: try row.textOrNone(10),
          subjectFailure: try row.textOrNone(11),
          isRandom: try row.wholeOrNone(15).map { $0 != 0 },
          sounds: KeptSounds(input: try row.textOrNone(12), oracle: try row.textOrNone(13))))
    }
    let places = CellPlaces(ids)
    let table = try measurements(of: places, metrics, database)
    for (index, id) in ids.enumerated() {
      if case .failed = cells[index].outcome { continue }
      cells[index].outcome = .measured(Measurements(table, cell: places[id]!))
    }
    return cells
  }

  private static func provenances(_ database: Database) throws -> [Int64: Provenance] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, subjectVersion, toolkit, "commit", build, sources, machine FROM provenance
        """)
    var provenances: [Int64: Provenance] = [:]
    while let found = try rows.next() {
      let row = StoredRow(row: found, table: "provenance")
      provenances[try row.whole(0)] = Provenance(
        subjectVersion: try row.text(1),
        toolkit: Toolkit(
          version: try row.text(2), commit: try row.text(3), kind: try row.text(4),
          digest: try row.text(5)), machine: try row.text(6))
    }
    return provenances
  }

  // MARK: - Measurements

  /// The places of cells in the order of their ids, in which the table `measurement` has them.
  private struct CellPlaces {
    /// Each id once, in ascending order.
    let ids: [Int64]
    private let places: [Int64: Int]

    init(_ all: [Int64]) {
      ids = Set(all).sorted()
      places = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
    }

    subscript(id: Int64) -> Int? { places[id] }

    /// SQL that holds for these cells, with its arguments. Where they lie close together it is faster to
    /// read a metric from the first to the last and to skip the others.
    var condition: (sql: String, arguments: StatementArguments) {
      let (first, last) = (ids.first ?? 0, ids.last ?? 0)
      return last - first < 8 * Int64(ids.count)
        ? ("cell BETWEEN ? AND ?", [first, last])
        : ("cell IN (SELECT value FROM json_each(?))", ["\(ids)"])
    }
  }

  private static func measurements(
    of cells: CellPlaces, _ metrics: [String]?, _ database: Database
  ) throws -> MeasurementTable {
    let names = try Row.fetchAll(database, sql: "SELECT id, name FROM metric ORDER BY id")
      .map { found -> (id: Int64, name: String) in
        let row = StoredRow(row: found, table: "metric")
        return (try row.whole(0), try row.text(1))
      }.filter { metrics?.contains($0.name) ?? true }
    let reasons = try reasons(database)
    let condition = cells.condition
    let statement = try database.makeStatement(
      sql: """
        SELECT cell, metric, voice, value, undefined, count FROM measurement
        WHERE metric = ? AND \(condition.sql) ORDER BY cell, voice
        """)
    var columns: [String: MeasurementColumn] = [:]
    for metric in names where columns[metric.name] == nil {
      var column = MeasurementColumn()
      let rows = try Row.fetchCursor(statement, arguments: [metric.id] + condition.arguments)
      while let found = try rows.next() {
        let row = StoredRow(row: found, table: "measurement", keys: 3)
        guard let cell = try cells[row.whole(0)] else { continue }
        column.append(cell: cell, try MeasuredRow(row, from: 2, reasons))
      }
      columns[metric.name] = column
    }
    return MeasurementTable(columns: columns, reasons: reasons)
  }

  /// Returns reasons by id, with `nil` for a missing id.
  static func reasons(_ database: Database) throws -> [Undefined?] {
    var reasons: [Undefined?] = [nil]
    let rows = try Row.fetchCursor(database, sql: "SELECT id, code, detail FROM reason ORDER BY id")
    while let found = try rows.next() {
      let row = StoredRow(row: found, table: "reason")
      // Ids start at 1; a gap is a deleted row.
      let id: Int = try row.whole(0, in: 1...1_000_000)
      reasons += Array(repeating: nil, count: id + 1 - reasons.count)
      reasons[id] = try row.undefined(1)
    }
    return reasons
  }

  /// A row of the table `measurement`.
  struct MeasuredRow {
    /// Index of the voice; -1 for the whole sound.
    let voice: Int16
    /// `nil` if there is a reason.
    let value: Double?
    let reason: Int32?
    let count: Int32

    /// - Parameter first: column of `voice`; `value`, `undefined` and `count` follow.
    init(_ row: StoredRow, from first: Int, _ reasons: [Undefined?]) throws(StoreDamage) {
      voice = try row.whole(first, in: -1 ... .max)
      value = try row.numberOrNone(first + 1, in: MetricResult.range)
      reason = try row.wholeOrNone(first + 2)
      count = try row.whole(first + 3, in: 0 ... .max)
      if let reason {
        guard value == nil else { throw row.damage(first + 1, "no value beside a reason") }
        guard reasons.indices.contains(Int(reason)), reasons[Int(reason)] != nil else {
          throw row.damage(first + 2, "the id of a row of the table reason")
        }
      } else if value == nil {
        throw row.damage(first + 1, "a number or a reason")
      }
    }
  }

  /// Values by their text, each decoded once.
  private struct Known<Value> {
    private var known: [String: Value] = [:]

    mutating func value(_ text: String, _ make: (String) throws -> Value) throws -> Value {
      if let value = known[text] { return value }
      let value = try make(text)
      known[text] = value
      return value
    }
  }

  // MARK: - Traces and sounds

  /// Returns the pitch of a cell's voices, if the plan kept it.
  public func traces(of key: String) throws -> [VoiceTrace] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT cell, voice, hopSeconds, targetHz, measuredHz FROM trace WHERE cell = ?
          ORDER BY voice
          """, arguments: [key]
      ).map { try Self.trace(StoredRow(row: $0, table: "trace", keys: 2)) }
    }
  }

  static func trace(_ row: StoredRow) throws(StoreDamage) -> VoiceTrace {
    VoiceTrace(
      voice: try row.whole(1, in: 0...32_767),
      hopSeconds: try row.number(2, in: 1e-6...1), targetHz: try row.floats(3),
      measuredHz: try row.floats(4))
  }

  /// Returns the subject's output for a cell, if the plan kept it.
  public func soundFile(of key: String) -> URL? { existing(sounds.choir(key)) }

  /// Returns the sound that the subject received, if it is kept.
  public func inputFile(of cell: CellResult) -> URL? {
    cell.sounds.input.flatMap { existing(sounds.file($0)) }
  }

  /// Returns the oracle's rendering, which exists for synthetic recordings only.
  public func oracleFile(of cell: CellResult) -> URL? {
    cell.sounds.oracle.flatMap { existing(sounds.file($0)) }
  }

  private func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
