import Corpus
import Foundation
import GRDB
import Metrics
import Platform

extension ResultStore {
  /// Exports every measurement of a run as comma-separated values (RFC 4180) with a header.
  ///
  /// A record has the cell with a column for each setting; metric, voice (from 0, empty for the
  /// whole sound), value with every digit (empty if undefined), reason, number of observations,
  /// unit and direction; then provenance and note. A failed cell has one record with its reason.
  ///
  /// - Parameters:
  ///   - name: name of a run; by default the last one started.
  ///   - take: called with each record, so a run of any size needs little memory.
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
        "toolkit", "commit", "build", "sources", "machine", "note",
      ]
      try take(CSVText.record(before + settings + after))
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT cell.key, recording, kind, condition, score, subject, settings, failure,
            metric.name, voice, value, undefined, count, subjectVersion, toolkit, "commit", build,
            sources, machine, note
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
        let words = measured?.reason.flatMap { reasons[Int($0)] }.map(\.detail)
        var fields = try (0..<6).map { try row.text($0) }
        fields += settings.map { chosen[$0]?.description ?? "" }
        fields += [
          metric, measured.flatMap { $0.voice < 0 ? nil : "\($0.voice)" } ?? "",
          measured?.value.map { "\($0)" } ?? "", failure.map { "failed: \($0)" } ?? words ?? "",
          measured.map { "\($0.count)" } ?? "", metrics[metric]?.unit ?? "",
          metrics[metric]?.direction.rawValue ?? "",
        ]
        fields += try (13...19).map { try row.textOrNone($0, most: 16_384) ?? "" }
        try take(CSVText.record(fields))
      }
    }
  }
}
