import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Metrics
@testable import Subjects
@testable import Sweep

@Suite struct StoredRunTests {
  /// A measured cell with these figures.
  private static func cell(_ measurements: [String: [MetricResult]]) -> CellResult {
    CellResult(
      key: "", recording: "buzz", kind: "sung", condition: "clean",
      score: Score(id: "third", intervalsSemitones: [4]), subject: "toy", settings: [:],
      sampleRateHz: 48_000, outcome: .measured(Measurements(measurements)))
  }

  private static func hears(_ cells: [CellResult]) throws -> Bool {
    let scratch = try TemporaryFolder()
    let plan = try Plan(reading: scratch.write(smallPlan, to: "small.yaml"))
    return !StoredRun(plan: plan, startedAt: "", cells: cells, plannedCells: cells.count)
      .heardNothing
  }

  private static let silent: [String: [MetricResult]] = [
    "pitch.abs_error": [.undefined(.tooLittleVoice, "no frame has a pitch", voice: 0)],
    "mix.judged": [.undefined(.noStems)],
  ]

  /// Cost and stated latency say nothing about the sound.
  @Test func costAndStatedLatencyAreNotHeard() throws {
    let stated = Self.silent.merging([
      "cpu.realtime_factor": [.value(0.1, count: 1)], "latency.reported": [.value(12, count: 1)],
    ]) { $1 }
    #expect(try !Self.hears([Self.cell(stated), Self.cell(Self.silent)]))
  }

  @Test func oneValueOfOneCellIsHeard() throws {
    let one = Self.silent.merging(["voice.missing": [.value(1, voice: 0, count: 50)]]) { $1 }
    #expect(try Self.hears([Self.cell(Self.silent), Self.cell(one)]))
  }

  /// A run that asks for costs only, and one whose cells failed, are judged by other words.
  @Test func whereNothingIsToBeHeardNothingIsMissed() throws {
    #expect(try Self.hears([]))
    #expect(try Self.hears([Self.cell(["cpu.realtime_factor": [.value(0.1, count: 1)]])]))
    var failed = Self.cell([:])
    failed.outcome = .failed("crashed")
    #expect(try Self.hears([failed]))
  }
}
