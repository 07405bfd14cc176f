import DSP
import EvaluationSupport
import Foundation
import Statistics
import TestSupport
import Testing

@testable import Gate

@Suite struct GateCalibrationTests {
  @Test func identicalRunsHaveNoNoise() throws {
    let found = try GateCalibration(
      Array(repeating: GateSamples.run(), count: 5), gate: GateSamples.gate)
    #expect(found.alarms.successes == 0 && found.alarms.trials == 4)
    #expect(found.noise == ["pitch.abs_error": 0, "latency.onset": 0])
  }

  /// Runs differ by up to 40 cents on each recording, so single takes raise false alarms.
  @Test func noiseRaisesAlarms() throws {
    var random = SeededGenerator(seed: 4)
    let runs = (0..<21).map { _ in
      GateSamples.run { _, metric, _ in metric == "pitch.abs_error" ? 40 * random.uniform() : 0 }
    }
    let found = try GateCalibration(runs, gate: GateSamples.gate)
    #expect(found.alarms.successes >= 5)
    #expect(found.noise["pitch.abs_error"]! > 4 && found.noise["latency.onset"] == 0)
  }
}
