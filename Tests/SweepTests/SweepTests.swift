import Analyzer
import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep

@Suite struct SweepTests {
  private let scratch = try! TemporaryFolder()

  /// - Parameter folder: folder of corpus and store; `nil` for that of the test.
  private func sweep(
    _ text: String = smallPlan, corpus: Corpus? = nil, in folder: TemporaryFolder? = nil
  ) throws -> (Sweep, ResultStore) {
    let folder = folder ?? scratch
    let store = try ResultStore(folder.file("results.sqlite"))
    let plan = try Plan.decoded(text)
    return (try Sweep(plan, corpus: corpus ?? folder.corpus(), store: store), store)
  }

  /// Theory: the engine raises the pitch by exactly 400 cents, a third. Its mean delay is
  /// (window + crossfade) / 2, and the formants move with the pitch.
  @Test func theLawsOfTheDelayLineAreMeasured() async throws {
    let (sweep, store) = try sweep()
    let outcome = try await sweep.run(jobs: 2)
    #expect(outcome == .init(total: 4, stored: 0, computed: 4, failed: []))
    for summary in try store.run(named: "small").summaries() {
      let window = summary.settings["windowMs"]!.number!
      #expect(summary.predictedLatencyMs == (window + 5) / 2)
      #expect(abs(summary.latencyMs! - (window + 5) / 2) < 0.5)
      let voice = summary.voices[0]
      #expect(abs(voice.figures["formant.ratio"]!.value - exp2(4.0 / 12)) < 0.03)
      // A steady tone has output lines 13 or 26 Hz apart. Half of that is at most 60 or 120 cents
      // at 189 Hz, and far less for all harmonics together.
      #expect(voice.errorCents!.value < 60)
      #expect(voice.figures["voice.missing"]!.value < 0.1)
      #expect(summary.realtimeFactor!.value > 0)
    }
  }

  @Test func aSecondRunComputesNothing() async throws {
    let corpus = try scratch.corpus()
    _ = try await sweep(corpus: corpus).0.run(jobs: 1)
    let (again, store) = try sweep(corpus: corpus)
    let outcome = try await again.run(jobs: 1)
    #expect(outcome == .init(total: 4, stored: 4, computed: 0, failed: []))
    #expect(try store.run().cells.count == 4)
  }

  @Test func aKilledRunIsContinued() async throws {
    let corpus = try scratch.corpus()
    let (first, store) = try sweep(corpus: corpus)
    // Some cells are stored and the run is not finished, as after a kill.
    try store.begin(first.plan, first.cells, from: nil)
    let work = CellWork(
      corpus: corpus, subjects: ["reference": ReferenceSubject()], sounds: store.sounds)
    try store.save(await work.finish(first.cells[0], keepingSound: false))
    #expect(try store.run().finishedAt == nil)
    let outcome = try await sweep(corpus: corpus).0.run(jobs: 2)
    #expect(outcome == .init(total: 4, stored: 1, computed: 3, failed: []))
    #expect(try store.run().finishedAt != nil)
  }

  @Test func anotherSettingIsAnotherCell() async throws {
    let corpus = try scratch.corpus()
    _ = try await sweep(corpus: corpus).0.run(jobs: 1)
    let (wider, _) = try sweep(smallPlan.replacing("[10, 20]", with: "[10, 30]"), corpus: corpus)
    let outcome = try await wider.run(jobs: 1)
    #expect(outcome.stored == 2 && outcome.computed == 2)
  }

  @Test func jobsDoNotChangeTheNumbers() async throws {
    var values: [[String: [MetricResult]]] = []
    for jobs in [1, 4] {
      let folder = try TemporaryFolder()
      let (sweep, store) = try sweep(in: folder)
      _ = try await sweep.run(jobs: jobs)
      let run = try store.run()
      values.append(
        run.cells.reduce(into: [:]) { all, cell in
          let timed = Set(Metric.cost.map(\.id))
          for (metric, found) in cell.measurements where !timed.contains(metric) {
            all["\(cell.key) \(metric)"] = found
          }
        })
    }
    #expect(values[0] == values[1] && !values[0].isEmpty)
  }

  @Test func aMissingRecordingFailsItsCellsAlone() async throws {
    let (sweep, store) = try sweep()
    try FileManager.default.removeItem(at: scratch.file("Corpus/audio/buzz.wav"))
    let outcome = try await sweep.run(jobs: 2)
    #expect(outcome.computed == 4 && outcome.failed.count == 2)
    #expect(outcome.failed.allSatisfy { $0.contains("scripts/fetch-corpus") })
    // The next run tries them again and keeps the good cells.
    #expect(
      try self.sweep(corpus: Corpus(folder: scratch.file("Corpus"))).0.pending().count == 2)
    #expect(try store.run().failures.count == 2)
  }

  @Test func theSoundToListenToIsKeptWithItsPitch() async throws {
    let (sweep, store) = try sweep(smallPlan + "\nlisten: [buzz]")
    _ = try await sweep.run(jobs: 1)
    let cell = try #require(store.run().cells.first { $0.recording == "buzz" })
    #expect(store.soundFile(of: cell.key) != nil && store.inputFile(of: cell) != nil)
    let trace = try #require(store.traces(of: cell.key).first)
    #expect(trace.targetHz.count == trace.measuredHz.count)
    // The target is a third above 150 Hz; the tracker of the lead errs by up to 0.15 cents.
    let middle = Double(trace.targetHz[trace.targetHz.count / 2])
    #expect(abs(cents(middle, over: 150 * exp2(4.0 / 12))) < 0.2)
  }

  /// Every measurement in the database has either a value or a reason.
  @Test func theStoreRefusesAMeasurementWithoutValueOrReason() async throws {
    let (sweep, store) = try sweep()
    _ = try await sweep.run(jobs: 1)
    #expect(throws: DatabaseError.self) {
      try store.queue.write { database in
        try database.execute(sql: "UPDATE measurement SET value = NULL, undefined = NULL")
      }
    }
    let broken = MetricResult.value(.nan, count: 3)
    #expect(broken.outcome == .undefined(Undefined(.notFinite, "the result was nan")))
    let vast = MetricResult.value(1e18, count: 3)
    #expect(vast.outcome == .undefined(Undefined(.notFinite, "the result was 1e+18")))
  }

  @Test func anUnknownRunIsNamedWithTheKnownOnes() async throws {
    let (sweep, store) = try sweep()
    _ = try await sweep.run(jobs: 1)
    #expect(throws: StoreError.unknownRun(name: "other", known: ["small"])) {
      _ = try store.run(named: "other")
    }
  }
}
