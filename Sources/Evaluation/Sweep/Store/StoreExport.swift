import Metrics
import Platform
import Subjects

extension ResultStore {
  /// Exports every measurement of a run as comma-separated values (RFC 4180) with a header.
  ///
  /// A record has the cell with a column for each setting; metric, voice (from 0, empty for the
  /// whole sound), value with every digit (empty if undefined), reason, number of observations,
  /// unit and direction; then provenance and note. A failed cell has one record with its reason.
  ///
  /// - Parameters:
  ///   - name: name of a run; by default the last one started.
  ///   - take: called with each record.
  public func exportCSV(ofRun name: String? = nil, take: (String) throws -> Void) throws {
    let run = try runName(name)
    let cells = try read { try Self.results($0, .run(run), nil) }
    let settings = Set(cells.flatMap(\.settings.keys)).sorted()
    try take(
      CSVText.record(
        ["cell", "recording", "kind", "condition", "score", "subject"] + settings + [
          "metric", "voice", "value", "undefined", "count", "unit", "better", "subjectVersion",
          "toolkit", "commit", "build", "sources", "machine", "note",
        ]))
    let metrics = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.id, $0) })
    for cell in cells {
      let before =
        [cell.key, cell.recording, cell.kind, cell.condition, cell.score.id, cell.subject]
        + settings.map { cell.settings[$0]?.description ?? "" }
      let (origin, toolkit) = (cell.provenance, cell.provenance?.toolkit)
      let after = [
        origin?.subjectVersion, toolkit?.version, toolkit?.commit, toolkit?.kind, toolkit?.digest,
        origin?.machine, cell.note,
      ].map { $0 ?? "" }
      func add(_ metric: String = "", _ result: MetricResult? = nil, reason: String = "") throws {
        let value = result?.outcome.number
        try take(
          CSVText.record(
            before + [
              metric, result?.voice.map { "\($0)" } ?? "", value.map { "\($0)" } ?? "", reason,
              result.map { "\($0.count)" } ?? "", metrics[metric]?.unit ?? "",
              metrics[metric]?.direction.rawValue ?? "",
            ] + after))
      }
      if case .failed(let reason) = cell.outcome {
        try add(reason: "failed: \(reason)")
        continue
      }
      let measured = cell.measurements
      if measured.isEmpty { try add() }
      for (metric, results) in measured.sorted(by: { $0.key < $1.key }) {
        for result in results {
          try add(metric, result, reason: result.outcome.reason?.detail ?? "")
        }
      }
    }
  }
}
