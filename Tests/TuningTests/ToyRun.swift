@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// Invented cells of a run, with numbers that a test chooses.
enum ToyRun {
  static func cell(
    _ recording: String, _ settings: SubjectSettings, _ values: [String: Double],
    undefined: [String: String] = [:], kind: String = "sung", subject: String = "reference"
  ) -> CellResult {
    let measured = values.mapValues { [MetricResult.value($0, count: 1)] }
      .merging(undefined.mapValues { [MetricResult.undefined(.failed, $0)] }) { $1 }
    return CellResult(
      key: "\(recording) \(settings.canonical)", recording: recording, kind: kind,
      score: Score(id: "third", intervalsSemitones: [4]), subject: subject, settings: settings,
      sampleRateHz: 48_000, outcome: .measured(Measurements(measured)))
  }

  /// Creates cells from pitch errors by setting and recording and latencies by setting.
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
