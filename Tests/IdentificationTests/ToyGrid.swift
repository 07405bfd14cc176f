import Analyzer
import DSP
import Foundation

@testable import Corpus
@testable import Identification
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// Invented cells whose figures follow a law: settings × recordings, two voices each.
struct ToyGrid {
  var windowsMs = [10.0, 15, 20, 30, 40, 60, 80]
  var recordings = (0..<10).map { "r\($0)" }
  /// Latency by window, recording and voice, without noise.
  var latencyMs: (Double, Int, Int) -> Double = { window, recording, voice in
    window / 2 + Double(recording % 4) + 0.5 * Double(voice)
  }
  var noiseMs = 0.0
  var seed: UInt64 = 1

  var cells: [CellResult] {
    var random = SeededGenerator(seed: seed)
    return windowsMs.flatMap { window in
      recordings.enumerated().map { number, recording in
        let values = (0..<2).map { voice in
          // The sum of twelve uniform numbers is nearly normal, with variance 1.
          let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
          return latencyMs(window, number, voice) + noiseMs * noise
        }
        return Self.cell(recording, window, values)
      }
    }
  }

  /// - Parameter values: latency of each voice; `nil` if it is undefined.
  static func cell(_ recording: String, _ windowMs: Double, _ values: [Double?]) -> CellResult {
    let results = values.enumerated().map { voice, value in
      value.map { MetricResult.value($0, voice: voice, count: 1) }
        ?? MetricResult.undefined(.noOnset, "no onset", voice: voice)
    }
    return CellResult(
      key: "\(recording) \(windowMs)", recording: recording, kind: "sung",
      score: Score(id: "third", intervalsSemitones: [4, -5]), subject: "toy",
      settings: ["windowMs": .number(windowMs)], sampleRateHz: 48_000,
      outcome: .measured(Measurements(["latency.onset": results])))
  }
}
