import Statistics
import Sweep
import Tuning

/// A headline figure of a check: what is measured, in which unit, and which direction is better.
package enum CheckFigure: String, Codable, CaseIterable, Sendable {
  case latency, pitch, pitchP95, grossErrors, missing, formants, intelligibility, tremolo, clicks
  case cost

  package var title: String { row.title }
  package var unit: String { row.unit }

  /// Ids of metrics; the first that has a value in a run is used.
  var metrics: [String] { row.metrics }

  /// The axis has the published limits, where there are any.
  private var row: (title: String, unit: String, metrics: [String], axis: TuneAxis?) {
    switch self {
    case .latency:
      (
        "latency, sound to sound", "ms", ["latency.onset", "latency.impulse", "latency.alignment"],
        .latency
      )
    // Peers' figures were published with their lag.
    case .pitch: ("pitch error, median", "cents", ["pitch.abs_error"], .pitch)
    case .pitchP95: ("pitch error, p95", "cents", ["pitch.abs_error.p95"], nil)
    case .grossErrors: ("gross pitch errors", "% of frames", ["pitch.gross_errors"], nil)
    case .missing: ("voices missing", "% of frames", ["voice.missing"], nil)
    case .formants: ("formant shift", "%", TuneAxis.formants.metrics, .formants)
    // STOI without the oracle has no scale and no peers.
    case .intelligibility:
      ("intelligibility, ESTOI", "ratio", ["intelligibility.estoi"], .intelligibility)
    case .tremolo: ("tremolo", "dB", ["tremolo.depth"], nil)
    case .clicks: ("clicks", "count", ["clicks.count"], nil)
    case .cost: ("cost", "% of a core", TuneAxis.cost.metrics, .cost)
    }
  }

  /// True if larger values are better; budgets are then lower limits.
  var moreIsBetter: Bool { self == .intelligibility }

  /// Converts a metric's value to this figure. Formants count alike in either direction.
  private func value(_ measured: Double) -> Double {
    switch self {
    case .formants: 100 * abs(measured - 1)
    case .grossErrors, .missing, .cost: 100 * measured
    default: measured
    }
  }

  /// Returns the grade by the published limits; `nil` for figures that have none.
  func grade(_ value: Double) -> QualityScale.Grade? {
    row.axis.flatMap(QualityScale.of)?.grade(value)
  }

  /// A median over recordings.
  struct Median {
    var value: Double
    var recordings: Int
    var metric: String
  }

  /// Returns the median over recordings; `nil` without a value.
  ///
  /// The value of a recording is the median over voices and conditions, as for the headline numbers of
  /// the report. Probes count only where no voice has a value. A voice that is later than the others
  /// decides the latency.
  func median(of cells: [CellResult]) -> Median? {
    if self == .latency, let latest = cells.latestVoiceMs,
      latest > cells.compactMap(\.latencyMs).max() ?? -.infinity
    {
      return Median(value: latest, recordings: 1, metric: "latency.impulse")
    }
    for ofProbes in [false, true] {
      for metric in metrics {
        var values: [String: [Double]] = [:]
        for cell in cells where cell.isProbe == ofProbes {
          for case .value(let measured) in cell.measurements(of: metric).map(\.outcome) {
            values[cell.recording, default: []].append(value(measured))
          }
        }
        let medians = values.values.compactMap { Statistics.median($0) }
        if let median = Statistics.median(medians) {
          return Median(value: median, recordings: medians.count, metric: metric)
        }
      }
    }
    return nil
  }
}
