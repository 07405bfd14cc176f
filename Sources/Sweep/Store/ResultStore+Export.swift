import Corpus
import Files
import Foundation
import GRDB
import Metrics

extension ResultStore {
  /// Every measurement of a run as a record of comma-separated values (RFC 4180), a header first:
  /// what it was measured of, with a column for each setting, then metric, voice (from 0, empty of
  /// the whole), value (every digit; empty where there is none), why there is none, how many
  /// observations went in, unit and direction; then what measured it, and what is to be known
  /// beside it. A cell that failed has one record with the reason.
  ///
  /// - Parameters:
  ///   - name: of a run; the last one begun unless given.
  ///   - take: gets record after record, so that a run of any size goes through.
  public func exportCSV(ofRun name: String? = nil, take: (String) throws -> Void) throws {
    let run = try runName(name)
    try read { database in
      let reasons = try Self.reasons(database)
      let settings = try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT item.key FROM runCell JOIN cell ON cell.key = runCell.cell,
          json_each(cell.settings) AS item WHERE run = ? ORDER BY item.key
          """, arguments: [run])
      let before = ["cell", "recording", "kind", "condition", "score", "subject"]
      let after = [
        "metric", "voice", "value", "undefined", "count", "unit", "better", "subjectVersion",
        "toolkit", "commit", "build", "machine", "note",
      ]
      try take(CSVText.record(before + settings + after))
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT cell.key, recording, kind, condition, score, subject, settings, failure,
            metric.name, voice, value, undefined, count, subjectVersion, toolkit, "commit", build,
            machine, note
          FROM runCell CROSS JOIN cell ON cell.key = runCell.cell
          LEFT JOIN measurement ON measurement.cell = cell.id
          LEFT JOIN metric ON metric.id = measurement.metric
          LEFT JOIN provenance ON provenance.id = cell.provenance
          WHERE run = ? ORDER BY position, metric.name, voice
          """, arguments: [run])
      var known: [String: SubjectSettings] = [:]
      let metrics = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.id, $0) })
      while let found = try rows.next() {
        let row = StoredRow(row: found, table: "cell")
        let text = try row.text(6)
        let chosen: SubjectSettings = try known[text] ?? row.decoded(text, 6, as: "settings")
        known[text] = chosen
        let metric = try row.textOrNone(8) ?? ""
        let failure = try row.textOrNone(7)
        let measured =
          metric.isEmpty
          ? nil
          : try MeasuredRow(StoredRow(row: found, table: "measurement"), from: 9, reasons)
        let words = measured?.reason.map { reasons[Int($0)] }
        var fields = try (0..<6).map { try row.text($0) }
        fields += settings.map { chosen[$0]?.description ?? "" }
        fields += [
          metric, measured.flatMap { $0.voice < 0 ? nil : "\($0.voice)" } ?? "",
          measured?.value.map { "\($0)" } ?? "", failure.map { "failed: \($0)" } ?? words ?? "",
          measured.map { "\($0.count)" } ?? "", metrics[metric]?.unit ?? "",
          metrics[metric]?.direction.rawValue ?? "",
        ]
        fields += try (13...18).map { try row.textOrNone($0) ?? "" }
        try take(CSVText.record(fields))
      }
    }
  }
}
