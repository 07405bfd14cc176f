import DSP
import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Metrics
@testable import Probes
@testable import Subjects
@testable import Sweep

@Suite struct ExplanationTests {
  @Test func oneNumberIsExplained() async throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus()
    let plan = try Plan(reading: scratch.write(smallPlan, to: "small.yaml"))
    let store = try ResultStore(scratch.file("results.sqlite"))
    _ = try await Sweep(plan, corpus: corpus, store: store).run(jobs: 1)
    let run = try store.run(named: "small")

    let found = Explanation.cells("buzz/windowMs=20", in: run)
    let cell = try #require(found.first)
    #expect(found.count == 1)
    #expect(Explanation.cells(String(cell.key.prefix(12)), in: run).map(\.key) == [cell.key])
    #expect(Explanation.cells("buzz", in: run).count == 2)
    #expect(Explanation.cells("BUZ s=20", in: run).map(\.key) == [cell.key])
    #expect(Explanation.cells("nobody", in: run).isEmpty)

    let folder = scratch.file("sounds")
    let explanation = try Explanation(
      of: cell, of: run, metric: "pitch.abs_error.p95", corpus: corpus, into: folder)
    // The same program renders the same bits again.
    #expect(explanation.remade == explanation.measurements)
    let p95 = try #require(cell.value("pitch.abs_error.p95", voice: 0))
    let sizes = explanation.worst.map { abs($0.value) }
    #expect(sizes == sizes.sorted(by: >))
    #expect(sizes.first.map { $0 >= p95 } == true)  // the worst is beyond 95 % of all
    let names = explanation.files.map(\.lastPathComponent)
    #expect(names == ["input.wav", "output.wav", "voice-1.wav", "target-1.wav"])
    #expect(explanation.files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })

    // Every other figure of the run comes out again, except its cost.
    let replay = try CellReplay(of: cell, of: run, in: corpus)
    for (id, stored) in cell.measurements where MetricFamily.family(of: id)?.id != "cost" {
      guard stored.allSatisfy({ $0.outcome.number != nil }) else { continue }
      #expect(Metric.metric(id: id)?.measure(replay.observation) == stored, "\(id)")
    }

    let whole = try Explanation(
      of: cell, of: run, metric: "formant.ratio", corpus: corpus, into: nil)
    #expect(whole.worst.isEmpty && whole.noInstants != nil)
    #expect(throws: Refusal.self) {
      try Explanation(of: cell, of: run, metric: "nonsense", corpus: corpus, into: nil)
    }
  }

  @Test func aSubjectOfAFileIsFoundAgain() async throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus()
    // A subject that copies its input.
    try scratch.write(
      "{id: echo, kind: command, command: [sh, -c, 'cp {input} {output} # {semitones}']}",
      to: "plans/echo.yaml")
    let text = """
      name: echoes
      subject: echo.yaml
      recordings: [buzz]
      scores: [{id: unison, intervalsSemitones: [0]}]
      """
    let plan = try Plan(reading: scratch.write(text, to: "plans/echoes.yaml"))
    let store = try ResultStore(scratch.file("results.sqlite"))
    _ = try await Sweep(plan, corpus: corpus, store: store).run(jobs: 1)
    let run = try store.run(named: "echoes")
    let cell = try #require(run.cells.first)
    #expect(cell.subject == "echo")
    let replay = try CellReplay(of: cell, of: run, in: corpus)
    #expect(replay.observation.rendering.stems.first?.samples == replay.observation.heard.samples)
  }
}
