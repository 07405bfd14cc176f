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

  /// Runs differ by 0 to 6 cents, equally on all recordings. Many are worse than the first, which
  /// is the lowest, by more than the minimum effect; hardly any are if their noise is known.
  @Test func noiseBecomesAThreshold() throws {
    var random = SeededGenerator(seed: 4)
    let runs = (0..<21).map { number in
      let offset = number == 0 ? 0 : 6 * random.uniform()
      return GateSamples.run { _, metric, _ in metric == "pitch.abs_error" ? offset : 0 }
    }
    let found = try GateCalibration(runs, gate: GateSamples.gate)
    // The minimum effect is 2 cents: two thirds of a uniform distribution lie beyond it.
    #expect(8...19 ~= found.alarms.successes)
    // Only the largest change lies beyond all others.
    #expect(found.alarmsByNoise.successes <= 1)
    #expect(4...6 ~= found.noise["pitch.abs_error"]! && found.noise["latency.onset"] == 0)
  }

  @Test func theFileIsReadAgain() throws {
    let scratch = try TemporaryFolder()
    let noise = GateNoise(
      byMetric: ["pitch.abs_error": 0.1 / 3, "latency.onset": 0], header: ["a"])
    let url = try scratch.write(noise.text, to: "n.tsv")
    #expect(try GateNoise(reading: url) == noise)
    let bad = try scratch.write(
      "# choir-eval.noise/1\nmetric\tnoise\tunit\na\t-1\tms\n", to: "b.tsv")
    do {
      _ = try GateNoise(reading: bad)
      Issue.record("took a noise below 0")
    } catch { #expect("\(error)".contains("b.tsv:3"), "\(error)") }
  }
}
