import Foundation
import GRDB

extension ResultStore {
  /// Every measurement of a run as a record of comma-separated values (RFC 4180), a header first:
  /// what it was measured of, with a column for each setting, then metric, voice (from 0, empty of
  /// the whole), value (every digit; empty where there is none), why there is none, how many
  /// observations went in, unit and direction. A cell that failed has one record with the reason.
  ///
  /// - Parameters:
  ///   - name: of a run; the last one begun unless given.
  ///   - take: gets record after record, so that a run of any size goes through.
  public func exportCSV(ofRun name: String? = nil, take: (String) throws -> Void) throws {
    let run = try runName(name)
    try queue.read { database in
      let settings = try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT item.key FROM runCell JOIN cell ON cell.key = runCell.cell,
          json_each(cell.settings) AS item WHERE run = ? ORDER BY item.key
          """, arguments: [run])
      let before = ["cell", "recording", "kind", "condition", "score", "subject"]
      let after = ["metric", "voice", "value", "undefined", "count", "unit", "better"]
      try take(CSVText.record(before + settings + after))
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT cell.key, recording, kind, condition, score, subject, settings, failure,
            metric.name, nullif(voice, -1), value, reason.words, count
          FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
          LEFT JOIN measurement ON measurement.cell = cell.id
          LEFT JOIN metric ON metric.id = measurement.metric
          LEFT JOIN reason ON reason.id = measurement.undefined
          WHERE run = ? ORDER BY position, metric.name, voice
          """, arguments: [run])
      var known: [String: SubjectSettings] = [:]
      let metrics = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.id, $0) })
      while let row = try rows.next() {
        let text: String = row[6]
        if known[text] == nil {
          known[text] = try JSONDecoder().decode(SubjectSettings.self, from: Data(text.utf8))
        }
        let chosen = known[text]!
        let metric: String = row[8] ?? ""
        let failure: String? = row[7]
        let voice: Int? = row[9]
        let value: Double? = row[10]
        let undefined: String? = row[11]
        let count: Int? = row[12]
        var fields = (0..<6).map { row[$0] as String }
        fields += settings.map { chosen[$0]?.description ?? "" }
        fields += [metric, voice.map(String.init) ?? "", value.map { "\($0)" } ?? ""]
        fields.append(failure.map { "failed: \($0)" } ?? undefined ?? "")
        fields.append(count.map(String.init) ?? "")
        fields += [metrics[metric]?.unit ?? "", metrics[metric]?.direction.rawValue ?? ""]
        try take(CSVText.record(fields))
      }
    }
  }
}
