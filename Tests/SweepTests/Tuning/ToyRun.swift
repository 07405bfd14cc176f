@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep
@testable import Tuning

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

  /// Creates cells of windows of 10, 20, … ms, each on recordings `r0`, `r1`, …
  ///
  /// - Parameters:
  ///   - voices: values of each voice, by the setting of the window and the number of the recording.
  ///   - count: number of frames that each value is about.
  static func cells<Setting>(
    ofVoicesIn settings: [Setting], recordings: Int = 5, count: Int = 2000,
    _ voices: (Setting, Int) -> [String: [Double]]
  ) -> [CellResult] {
    settings.enumerated().flatMap { index, setting in
      (0..<recordings).map { recording in
        cell(
          "r\(recording)", ["windowMs": .number(Double(10 * (index + 1)))],
          voices: voices(setting, recording), count: count)
      }
    }
  }

  /// Creates such cells of one voice.
  static func cells<Setting>(
    of settings: [Setting], recordings: Int = 5, _ values: (Setting, Int) -> [String: Double]
  ) -> [CellResult] {
    cells(ofVoicesIn: settings, recordings: recordings) { values($0, $1).mapValues { [$0] } }
  }

  /// Creates cells from pitch errors by setting and recording and latencies by setting.
  static func cells(pitch: [[Double]], latencyMs: [Double]) -> [CellResult] {
    cells(of: Array(zip(pitch, latencyMs)), recordings: pitch[0].count) {
      ["pitch.abs_error": $0.0[$1], "latency.onset": $0.1]
    }
  }
}

extension TuneAnswer {
  /// The window of a point.
  func window(_ place: Int?) -> Double? {
    place.flatMap { points[$0].settings["windowMs"]?.number }
  }
}
