import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Metrics
@testable import Sweep
@testable import Tuning

/// A user's own metric on its way from a plan into a store and out of it.
@Suite struct OwnMetricPlanTests {
  private let scratch = try! TemporaryFolder()

  /// Writes a metric that counts the voice's number, and a plan that names it.
  private func plan(named name: String, metric id: String, prints text: String = "echo 7") throws
    -> URL
  {
    try scratch.write(text, to: "metrics/judge.sh")
    try scratch.write(
      """
      id: \(id)
      title: What a script says
      unit: points
      direction: higher
      ideal: 10
      minimumEffect: 2
      domain: any sound
      command: [sh, judge.sh, "{output}"]
      """, to: "metrics/\(id).yaml")
    return try scratch.write(buzzPlan + "\nmetrics: [pitch.bias, \(name)]\n", to: "plan.yaml")
  }

  @Test(arguments: ["metrics/toy.found.yaml", "toy.found"])
  func aPlanFindsItByPathOrInTheFolderBeside(name: String) throws {
    let plan = try Plan(reading: plan(named: name, metric: "toy.found"))
    #expect(plan.metrics?.metrics.map(\.id) == ["pitch.bias", "toy.found"])
  }

  @Test func mistakesAreThoseOfThePlan() throws {
    for name in ["absent.yaml", "toy.absent", "toy.twice, toy.twice"] {
      let file = try plan(named: name, metric: "toy.twice")
      #expect(throws: Refusal.self, "\(name)") { try Plan(reading: file) }
    }
  }

  @Test func itsFiguresAreStoredReadAndTuned() async throws {
    let file = try plan(named: "toy.stored", metric: "toy.stored")
    let corpus = try scratch.corpus()
    let store = try ResultStore(scratch.file("results.sqlite"))
    _ = try await Sweep(Plan(reading: file), corpus: corpus, store: store).run(jobs: 1)
    // Another program finds the description in the store; the file and the program are not needed.
    try FileManager.default.removeItem(at: scratch.file("metrics"))
    let run = try ResultStore(reading: store.url).run()
    #expect(run.cells.count == 4 && run.cells.allSatisfy { $0.value("toy.stored", voice: 0) == 7 })
    let metric = try #require(run.plan.metrics?.metrics.last)
    #expect(metric.unit == "points" && metric.minimumEffect == 2 && metric.loss(7) == -7)
    let axis = try #require(TuneAxis(rawValue: "toy.stored"))
    let answer = try Tuner(TuneGoal(axes: [.pitch, axis]), facts: corpus.facts(of: ["buzz"]))
      .answer(for: run.cells)
    // Three of ten points are missing, in steps of two.
    let point = try #require(answer.points.first)
    #expect(point.figures["toy.stored"]?.value == 7 && axis.unit == "points")
    #expect(TuneGoal(axes: [axis]).units(axis, 7) == 1.5)
    #expect(axis.excess(7, over: 8) == 1 && axis.excess(9, over: 8) == -1)
  }

  @Test func anotherProgramIsTold() throws {
    func choice(_ script: String) throws -> MetricChoice? {
      try Plan(reading: plan(named: "toy.told", metric: "toy.told", prints: script)).metrics
    }
    let first = try #require(try choice("echo 1"))
    #expect(first.changed(from: try choice("echo 1")) == [] && first.changed(from: nil) == [])
    #expect(try choice("echo 2")?.changed(from: first) == ["toy.told"])
  }

  @Test func anotherProgramMakesOtherCells() async throws {
    let corpus = try scratch.corpus()
    let store = try ResultStore(scratch.file("results.sqlite"))
    func pending(_ script: String) throws -> (Int, Sweep) {
      let plan = try Plan(reading: plan(named: "toy.cached", metric: "toy.cached", prints: script))
      let sweep = try Sweep(plan, corpus: corpus, store: store)
      return (try sweep.pending().count, sweep)
    }
    _ = try await pending("echo 1").1.run(jobs: 1)
    #expect(try pending("echo 1").0 == 0)
    #expect(try pending("echo 2").0 == 4)
  }
}
