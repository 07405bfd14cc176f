@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// Cells as a run would have them, with numbers that a test writes down.
enum ToyRun {
  static func cell(
    _ recording: String, _ settings: SubjectSettings, _ values: [String: Double],
    undefined: [String: String] = [:], kind: String = "sung", subject: String = "reference"
  ) -> CellResult {
    let measured = values.mapValues { [MetricResult.value($0, count: 1)] }
      .merging(undefined.mapValues { [MetricResult.undefined($0)] }) { $1 }
    return CellResult(
      key: "\(recording) \(settings.canonical)", recording: recording, kind: kind,
      score: Score(id: "third", intervalsSemitones: [4]), subject: subject, settings: settings,
      sampleRateHz: 48_000, outcome: .measured(Measurements(measured)))
  }

  /// Pitch errors by setting and recording, latency by setting.
  static func cells(pitch: [[Double]], latencyMs: [Double]) -> [CellResult] {
    pitch.indices.flatMap { index in
      pitch[index].enumerated().map { recording, cents in
        cell(
          "r\(recording)", ["windowMs": .number(Double(10 * (index + 1)))],
          ["pitch.abs_error": cents, "latency.onset": latencyMs[index]])
      }
    }
  }
}
