import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import Metrics
@testable import Sweep
@testable import choir_eval

@Suite struct RunSummaryTextTests {
  /// A run of three recordings, optionally with the latency probe. Computed by hand: the median of
  /// their latencies is -6.4 ms; the impulses of three voices take 118.8 ms on average.
  private static func run(hasProbe: Bool) throws -> StoredRun {
    let file = Repository.file("Corpus/plans/smoke.yaml")
    let plan = try Plan(reading: file)
    func cell(_ name: String, kind: String, _ found: [String: [MetricResult]])
      -> CellResult
    {
      CellResult(
        key: name, recording: name, kind: kind, score: plan.scores[0], subject: "sox",
        settings: [:],
        sampleRateHz: 48_000, outcome: .measured(Measurements(found)))
    }
    var cells = [-7.9, -6.4, 3].map { ms in
      cell("r\(ms)", kind: "sung", ["latency.onset": [.value(ms, count: 1)]])
    }
    if hasProbe {
      let impulses = [118.8, 117.8, 119.8].enumerated().map { voice, ms in
        MetricResult.value(ms, voice: voice, count: 12)
      }
      cells.append(cell("probe", kind: "probe", ["latency.impulse": impulses]))
    }
    return StoredRun(
      plan: plan, startedAt: "", finishedAt: nil, cells: cells, plannedCells: cells.count)
  }

  @Test func latencyIsSoundToSound() throws {
    let text = text(of: try Self.run(hasProbe: true))
    #expect(text.contains("latency ms  of impulses  predicted"))
    #expect(text.contains(#/-6\.4 +118\.8 +– /#))
    #expect(text.contains("latency: sound to sound") && text.contains("Of impulses:"))
  }

  @Test func withoutAProbeThereAreNoImpulses() throws {
    let text = text(of: try Self.run(hasProbe: false))
    #expect(text.contains(#/latency ms +formants/#) && !text.contains("mpulses"))
    #expect(text.contains(#/ -6\.4 /#))
  }

  private func text(of run: StoredRun) -> String {
    var answer = AnswerText()
    RunSummaryText.write(run, to: &answer)
    return answer.description
  }
}
