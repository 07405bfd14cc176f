import Foundation
import GRDB

extension ResultStore {
  /// A run by name, or the last one begun.
  public func run(named name: String? = nil) throws -> StoredRun {
    let names = try queue.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM run ORDER BY startedAt, rowid")
    }
    guard let chosen = name ?? names.last, names.contains(chosen) else {
      throw EvaluationError.unknownRun(name: name ?? "", known: names)
    }
    return try queue.read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM run WHERE name = ?", arguments: [chosen])!
      let plan = try JSONDecoder().decode(Plan.self, from: Data((row["plan"] as String).utf8))
      let keys = try String.fetchAll(
        database, sql: "SELECT cell FROM runCell WHERE run = ? ORDER BY position",
        arguments: [chosen])
      return StoredRun(
        plan: plan, startedAt: row["startedAt"], finishedAt: row["finishedAt"],
        cells: try Self.results(database, run: chosen), plannedCells: keys.count)
    }
  }

  private static func results(_ database: Database, run: String) throws -> [CellResult] {
    let measurements = try Row.fetchAll(
      database,
      sql: """
        SELECT measurement.* FROM measurement JOIN runCell USING (cell) WHERE run = ?
        """, arguments: [run])
    var byCell: [String: [String: [Measurement]]] = [:]
    for row in measurements {
      let reason: String? = row["undefined"]
      let measurement = Measurement(
        voice: row["voice"],
        outcome: reason.map { .undefined($0) } ?? .value(row["value"]), count: row["count"])
      byCell[row["cell"], default: [:]][row["metric"], default: []].append(measurement)
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT cell.* FROM runCell JOIN cell ON cell.key = runCell.cell WHERE run = ?
        ORDER BY position
        """, arguments: [run])
    return try rows.map { row in
      let decoder = JSONDecoder()
      let key: String = row["key"]
      let failure: String? = row["failure"]
      return CellResult(
        key: key, recording: row["recording"], kind: row["kind"], condition: row["condition"],
        score: try decoder.decode(
          Score.self, from: Data((row["scoreContent"] as String).utf8)),
        subject: row["subject"],
        settings: try decoder.decode(
          SubjectSettings.self, from: Data((row["settings"] as String).utf8)),
        sampleRateHz: row["sampleRateHz"],
        outcome: failure.map { .failed($0) } ?? .measured(byCell[key] ?? [:]))
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
  fileprivate init(data: Data) {
    self = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
