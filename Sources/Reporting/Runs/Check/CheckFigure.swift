import Statistics
import Sweep
import Tuning

/// A headline figure of a check: what is measured, in which unit, and which direction is better.
package enum CheckFigure: String, Codable, CaseIterable, Sendable {
  case latency, pitch, pitchP95, grossErrors, missing, formants, intelligibility, tremolo, clicks
  case cost

  package var title: String {
    switch self {
    case .latency: "latency, sound to sound"
    case .pitch: "pitch error, median"
    case .pitchP95: "pitch error, p95"
    case .grossErrors: "gross pitch errors"
    case .missing: "voices missing"
    case .formants: "formant shift"
    case .intelligibility: "intelligibility, ESTOI"
    case .tremolo: "tremolo"
    case .clicks: "clicks"
    case .cost: "cost"
    }
  }

  package var unit: String {
    switch self {
    case .latency: "ms"
    case .pitch, .pitchP95: "cents"
    case .grossErrors, .missing: "% of frames"
    case .formants: "%"
    case .intelligibility: "ratio"
    case .tremolo: "dB"
    case .clicks: "count"
    case .cost: "% of a core"
    }
  }

  /// Ids of metrics; the first that has a value in a run is used.
  var metrics: [String] {
    switch self {
    case .latency: ["latency.onset", "latency.impulse", "latency.alignment"]
    // Peers' figures were published with their lag.
    case .pitch: ["pitch.abs_error"]
    case .pitchP95: ["pitch.abs_error.p95"]
    case .grossErrors: ["pitch.gross_errors"]
    case .missing: ["voice.missing"]
    case .formants: TuneAxis.formants.metrics
    // STOI without the oracle has no scale and no peers.
    case .intelligibility: ["intelligibility.estoi"]
    case .tremolo: ["tremolo.depth"]
    case .clicks: ["clicks.count"]
    case .cost: TuneAxis.cost.metrics
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
    let axis: TuneAxis
    switch self {
    case .latency: axis = .latency
    case .pitch: axis = .pitch
    case .formants: axis = .formants
    case .intelligibility: axis = .intelligibility
    case .cost: axis = .cost
    case .pitchP95, .grossErrors, .missing, .tremolo, .clicks: return nil
    }
    return QualityScale.of(axis)?.grade(value)
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
  /// the report. Probes count only where no voice has a value.
  func median(of cells: [CellResult]) -> Median? {
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
