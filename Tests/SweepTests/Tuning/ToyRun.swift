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
    cell(
      recording, settings, voices: values.mapValues { [$0] }, undefined: undefined, kind: kind,
      subject: subject)
  }

  /// Creates a cell from the values of each voice of a score with the intervals +4 and -5.
  ///
  /// - Parameter count: number of frames that each value is about.
  static func cell(
    _ recording: String, _ settings: SubjectSettings, voices: [String: [Double]],
    undefined: [String: String] = [:], condition: Condition = .clean, kind: String = "sung",
    subject: String = "reference", count: Int = 2000
  ) -> CellResult {
    let measured = voices.mapValues { values in
      values.enumerated().map { MetricResult.value($1, voice: $0, count: count) }
    }.merging(undefined.mapValues { [MetricResult.undefined(.failed, $0)] }) { $1 }
    var cell = CellResult(
      key: "\(recording) \(settings.canonical)", recording: recording, kind: kind,
      score: Score(id: "third", intervalsSemitones: [4, -5]), subject: subject,
      settings: settings, sampleRateHz: 48_000, outcome: .measured(Measurements(measured)))
    cell.condition = condition.canonical
    return cell
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
