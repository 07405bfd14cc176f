import Foundation
import GRDB

extension ResultStore {
  /// A run by name, or the last one begun.
  ///
  /// - Parameter metrics: by id, those to read; all unless given, which are gigabytes of a large run.
  public func run(named name: String? = nil, metrics: [String]? = nil) throws -> StoredRun {
    let chosen = try runName(name)
    return try queue.read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM run WHERE name = ?", arguments: [chosen])!
      let plan = try JSONDecoder().decode(Plan.self, from: Data((row["plan"] as String).utf8))
      let planned = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM runCell WHERE run = ?", arguments: [chosen])
      return StoredRun(
        plan: plan, startedAt: row["startedAt"], finishedAt: row["finishedAt"],
        cells: try Self.results(database, .run(chosen), metrics), plannedCells: planned ?? 0)
    }
  }

  /// The last run begun unless named.
  ///
  /// - Throws: where there is none.
  func runName(_ name: String?) throws -> String {
    let names = try queue.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM run ORDER BY startedAt, rowid")
    }
    guard let chosen = name ?? names.last, names.contains(chosen) else {
      throw EvaluationError.unknownRun(name: name, known: names)
    }
    return chosen
  }

  /// The same cells with all their measurements.
  public func detailed(_ cells: [CellResult]) throws -> [CellResult] {
    try queue.read { try Self.results($0, .keys(cells.map(\.key)), nil) }
  }

  /// As `StoredRun.undefinedCounts`, of all metrics, whichever of them were read.
  public func undefinedCounts(ofRun name: String) throws -> [UndefinedCount] {
    var counter = UndefinedCounter()
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT metric.name, undefined, kind = 'probe', count(*)
          FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
          CROSS JOIN measurement ON measurement.cell = cell.id
          CROSS JOIN metric ON metric.id = measurement.metric
          WHERE run = ? AND undefined IS NOT NULL GROUP BY metric, undefined, kind = 'probe'
          """, arguments: [name])
      while let row = try rows.next() {
        counter.note(row[0], row[1], isProbe: row[2], count: row[3])
      }
    }
    return counter.counts
  }

  /// Which cells to read, and in what order.
  private enum Wanted {
    case run(String)
    case keys([String])

    /// A table of keys and positions, with one argument.
    var table: String {
      switch self {
      case .run: "(SELECT cell AS key, position FROM runCell WHERE run = ?) AS wanted"
      case .keys: "(SELECT value AS key, id AS position FROM json_each(?)) AS wanted"
      }
    }

    var arguments: StatementArguments {
      get throws {
        switch self {
        case .run(let name): [name]
        case .keys(let keys): [String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)]
        }
      }
    }
  }

  private static func results(
    _ database: Database, _ wanted: Wanted, _ metrics: [String]?
  ) throws -> [CellResult] {
    let (table, rowsOf) = try measurements(database, wanted, metrics)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT cell.id, cell.key, recording, kind, condition, scoreContent, subject, settings,
          sampleRateHz, failure
        FROM \(wanted.table) CROSS JOIN cell ON cell.key = wanted.key ORDER BY position
        """, arguments: wanted.arguments)
    // Scores and settings are few, and decoding one takes longer than reading a cell.
    var (scores, settings) = (Decoded<Score>(), Decoded<SubjectSettings>())
    var cells: [CellResult] = []
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let failure: String? = row[9]
      cells.append(
        CellResult(
          key: row[1], recording: row[2], kind: row[3], condition: row[4],
          score: try scores.value(row[5]), subject: row[6], settings: try settings.value(row[7]),
          sampleRateHz: row[8],
          outcome: failure.map { .failed($0) }
            ?? .measured(Measurements(table, rows: rowsOf[id] ?? 0..<0))))
    }
    return cells
  }

  /// The measurements of cells, and which of them are of which cell, by its id.
  private static func measurements(
    _ database: Database, _ wanted: Wanted, _ metrics: [String]?
  ) throws -> (MeasurementTable, rowsOf: [Int64: Range<Int>]) {
    let names = try Row.fetchAll(database, sql: "SELECT id, name FROM metric ORDER BY id")
    let places = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1[0] as Int64, Int16($0)) })
    var rowsOf: [Int64: Range<Int>] = [:]
    var rows: [MeasurementTable.Row] = []
    var (reasons, reasonIDs) = ([String](), [String: Int32]())
    let read = metrics.map { ids in
      names.filter { ids.contains($0[1]) }.map { "\($0[0] as Int64)" }.joined(separator: ", ")
    }
    let found = try Row.fetchCursor(
      database,
      sql: """
        SELECT measurement.cell, metric, voice, value, undefined, count
        FROM \(wanted.table) CROSS JOIN cell ON cell.key = wanted.key
        CROSS JOIN measurement ON measurement.cell = cell.id
        \(read.map { "WHERE metric IN (\($0))" } ?? "") ORDER BY position
        """, arguments: wanted.arguments)
    var (current, start) = (Int64(-1), 0)
    while let row = try found.next() {
      let cell: Int64 = row[0]
      if cell != current {
        if current >= 0 { rowsOf[current] = start..<rows.count }
        (current, start) = (cell, rows.count)
      }
      var reasonID: Int32 = -1
      if let reason: String = row[4] {
        if let known = reasonIDs[reason] {
          reasonID = known
        } else {
          reasonID = Int32(reasons.count)
          reasonIDs[reason] = reasonID
          reasons.append(reason)
        }
      }
      rows.append(
        MeasurementTable.Row(
          value: (row[3] as Double?) ?? 0, reason: reasonID, count: row[5],
          metric: places[row[1]]!, voice: (row[2] as Int16?) ?? -1))
    }
    if current >= 0 { rowsOf[current] = start..<rows.count }
    return (MeasurementTable(metrics: names.map { $0[1] }, reasons: reasons, rows: rows), rowsOf)
  }

  /// Values by their JSON, each decoded once.
  private struct Decoded<Value: Decodable> {
    private var known: [String: Value] = [:]

    mutating func value(_ json: String) throws -> Value {
      if let value = known[json] { return value }
      let value = try JSONDecoder().decode(Value.self, from: Data(json.utf8))
      known[json] = value
      return value
    }
  }

  /// The pitch of a cell's voices, where the plan kept it.
  public func traces(of key: String) throws -> [VoiceTrace] {
    try queue.read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM trace WHERE cell = ? ORDER BY voice", arguments: [key]
      ).map { row in
        VoiceTrace(
          voice: row["voice"], hopSeconds: row["hopSeconds"],
          targetHz: [Float](data: row["targetHz"]), heardHz: [Float](data: row["heardHz"]))
      }
    }
  }

  /// The sound of a cell, where the plan kept it.
  public func soundFile(of key: String) -> URL? { existing(sounds.choir(key)) }

  /// What the subject heard.
  public func inputFile(of cell: CellResult) -> URL? {
    existing(sounds.input(cell.recording, condition: cell.condition))
  }

  /// What a perfect subject would have made of it; of synthetic recordings only.
  public func oracleFile(of cell: CellResult) -> URL? {
    existing(sounds.oracle(cell.recording, score: cell.score))
  }

  private func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}

/// A run as the store has it.
public struct StoredRun: Sendable {
  public var plan: Plan
  public var startedAt: String
  /// `nil` while it runs, or where it was killed.
  public var finishedAt: String?
  /// Those that are there, in the order of the plan.
  public var cells: [CellResult]
  public var plannedCells: Int
}

extension [Float] {
  init(data: Data) {
    self = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
