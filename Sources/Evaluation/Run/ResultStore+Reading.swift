import Foundation
import GRDB

extension ResultStore {
  /// A run by name, or the last one begun.
  ///
  /// - Parameter metrics: by id, those to read; all unless given, which are gigabytes of a large run.
  public func run(named name: String? = nil, metrics: [String]? = nil) throws -> StoredRun {
    let chosen = try runName(name)
    try? digest(chosen)  // It can be read without, if the disk has no room for one.
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

  /// A run with the measurements of some metrics, or, where it has a digest, with its cells alone: then
  /// `ComparedRun` reads on.
  public func runToCompare(
    named name: String? = nil, metrics: [String]
  ) throws -> (run: StoredRun, isDigested: Bool) {
    let chosen = try runName(name)
    try? digest(chosen)
    let isDigested = try queue.read { try Self.isDigested(chosen, in: $0) }
    return (try run(named: chosen, metrics: isDigested ? [] : metrics), isDigested)
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
      let counts =
        try Self.isDigested(name, in: database)
        ? "SELECT metric, reason, isProbe, count FROM digestUndefined WHERE run = ?"
        : """
        SELECT metric, undefined AS reason, kind = 'probe' AS isProbe, count(*) AS count
        FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
        CROSS JOIN measurement ON measurement.cell = cell.id
        WHERE run = ? AND undefined IS NOT NULL GROUP BY 1, 2, 3
        """
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT metric.name, reason.words, isProbe, counted.count FROM (\(counts)) AS counted
          JOIN metric ON metric.id = counted.metric JOIN reason ON reason.id = counted.reason
          ORDER BY metric.name, reason.words
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
    let table = try measurements(database, wanted, metrics)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT cell.key, recording, kind, condition, scoreContent, subject, settings,
          sampleRateHz, failure
        FROM \(wanted.table) CROSS JOIN cell ON cell.key = wanted.key ORDER BY position
        """, arguments: wanted.arguments)
    // What cells are made of is little, and decoding a score takes longer than reading a cell.
    var (scores, settings) = (Known<Score>(Self.decoded), Known<SubjectSettings>(Self.decoded))
    var texts = Known<String> { $0 }
    var cells: [CellResult] = []
    while let row = try rows.next() {
      let failure: String? = row[8]
      cells.append(
        CellResult(
          key: row[0], recording: try texts[row[1]], kind: try texts[row[2]],
          condition: try texts[row[3]], score: try scores[row[4]], subject: try texts[row[5]],
          settings: try settings[row[6]], sampleRateHz: row[7],
          outcome: failure.map { .failed($0) }
            ?? .measured(Measurements(table, cell: cells.count))))
    }
    return cells
  }

  private static func measurements(
    _ database: Database, _ wanted: Wanted, _ metrics: [String]?
  ) throws -> MeasurementTable {
    let names = try Row.fetchAll(database, sql: "SELECT id, name FROM metric ORDER BY id")
      .filter { row in metrics?.contains(row[1]) ?? true }.map { ($0[0] as Int64, $0[1] as String) }
    var columns: [Int64: MeasurementColumn]?
    if case .run(let name) = wanted {
      columns = try digested(name, metrics: names.map(\.0), in: database)
    }
    var reasons = [String](
      repeating: "",
      count: 1 + (try Int.fetchOne(database, sql: "SELECT max(id) FROM reason") ?? 0))
    let words = try Row.fetchCursor(database, sql: "SELECT id, words FROM reason")
    while let row = try words.next() { reasons[row[0]] = row[1] }
    let found = try columns ?? scan(database, wanted, metrics.map { _ in names.map(\.0) })
    return MeasurementTable(
      columns: Dictionary(
        uniqueKeysWithValues: names.compactMap { id, name in found[id].map { (name, $0) } }),
      reasons: reasons)
  }

  /// One metric of all cells of a run, in their order; `nil` where the run has no digest.
  func digestedTable(of metric: String, run: String) throws -> MeasurementTable? {
    try queue.read { database in
      guard try Self.isDigested(run, in: database) else { return nil }
      return try Self.measurements(database, .run(run), [metric])
    }
  }

  private static func scan(
    _ database: Database, _ wanted: Wanted, _ metrics: [Int64]?
  ) throws -> [Int64: MeasurementColumn] {
    let chosen = metrics.map { ids in ids.map(String.init).joined(separator: ", ") }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT position, metric, voice, value, undefined, count
        FROM \(wanted.table) CROSS JOIN cell ON cell.key = wanted.key
        LEFT JOIN measurement ON measurement.cell = cell.id
        \(chosen.map { "AND metric IN (\($0))" } ?? "") ORDER BY position
        """, arguments: wanted.arguments)
    var columns: [Int64: MeasurementColumn] = [:]
    var (place, current) = (-1, Int64(-1))
    while let row = try rows.next() {
      let position: Int64 = row[0]
      if position != current { (place, current) = (place + 1, position) }
      guard let metric: Int64 = row[1] else { continue }
      columns[metric, default: .init()].append(
        cell: place, voice: row[2], value: row[3], reason: row[4], count: row[5])
    }
    return columns
  }

  private static func decoded<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  /// Values by their text, each made once.
  private struct Known<Value> {
    private var known: [String: Value] = [:]
    private let make: (String) throws -> Value

    init(_ make: @escaping (String) throws -> Value) { self.make = make }

    subscript(_ text: String) -> Value {
      mutating get throws {
        if let value = known[text] { return value }
        let value = try make(text)
        known[text] = value
        return value
      }
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
