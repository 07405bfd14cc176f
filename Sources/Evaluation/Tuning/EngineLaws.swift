import Statistics
import Subjects
import Sweep

/// The latency by the laws of this package's engines, on the recordings on which it was measured.
struct EngineLaws {
  private let table: TuneTable
  private let scores: [Score]
  /// Median pitch of each recording, in the order of the table.
  private let notesHz: [Double?]

  init(_ table: TuneTable, _ cells: [CellResult], _ facts: [Tuner.Fact]) {
    let facts = facts.keyed(by: \.id)
    self.table = table
    scores = cells.map(\.score).reduce(into: [Score]()) { known, score in
      if !known.contains(score) { known.append(score) }
    }
    notesHz = table.recordings.map { facts[$0]?.medianF0Hz }
  }

  /// Adds the latency of impulses and the predictions: of impulses, and the median of the worst
  /// register.
  func add(to point: inout TuneAnswer.Point, _ row: Int) {
    guard table.metrics[.latency] != nil else { return }
    point.impulseLatencyMs = table.impulseLatencyMs[row]
    do throws(LatencyLaw.Unknown) {
      let law = try LatencyLaw(subject: point.subject, settings: point.settings)
      func predicted(_ noteHz: Double?) throws(LatencyLaw.Unknown) -> Double? {
        var all: [Double] = []
        for score in scores { all.append(try law.predictedMs(score: score, noteHz: noteHz)) }
        return Statistics.median(all)
      }
      if point.impulseLatencyMs != nil { point.predictedImpulseLatencyMs = try predicted(nil) }
      var worst: Double?
      for (_, columns) in table.strata {
        var laws: [Double] = []
        for column in columns where table.readings[.latency]?[row][column]?.measured != nil {
          guard let note = notesHz[column], let law = try predicted(note) else { continue }
          laws.append(law)
        }
        if let median = Statistics.median(laws) { worst = max(median, worst ?? median) }
      }
      point.predictedLatencyMs = worst
    } catch { point.noLaw = error.description }
  }
}
