import Metrics

extension CellResult {
  /// Creates a result that was predicted instead of measured, so that a plan with gaps can be weighed
  /// like a whole one. It is never stored.
  package init(predicting cell: Cell, _ measurements: [String: [MetricResult]]) {
    self.init(
      key: cell.key, recording: cell.recording.id, kind: cell.recording.kind,
      condition: cell.condition.canonical, score: cell.score, subject: cell.subjectID,
      settings: cell.settings, sampleRateHz: cell.rateHz ?? 48_000,
      outcome: .measured(Measurements(measurements)))
  }
}
