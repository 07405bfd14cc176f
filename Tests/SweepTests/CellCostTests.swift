import DSP
import EvaluationSupport
import Foundation
import GRDB
import Music
import Platform
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// A subject that copies its input and allocates a known amount.
private struct Greedy: LiveSubject {
  var id: String { "greedy" }
  var version: String { "1" }
  var heldBytes = 0
  var allocationsPerBlock = 0

  final class Sound: LiveSound {
    private let held: [UInt8]
    private let allocations: Int
    let latencySamples = 0

    init(heldBytes: Int, allocations: Int) {
      held = [UInt8](repeating: 1, count: heldBytes)
      self.allocations = allocations
    }

    func reset() {}
    func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
      for _ in 0..<allocations { free(used(malloc(64 + held.count % 2))) }
      for i in input.indices { output[i] = input[i] }
    }
  }

  func validate(_ settings: SubjectSettings, for score: Score) throws {}
  func start(
    _ score: ResolvedScore, settings: SubjectSettings, sampleRateHz: Double
  ) throws -> any LiveSound {
    Sound(heldBytes: heldBytes, allocations: allocationsPerBlock)
  }
  func render(
    _ signal: Signal, score: ResolvedScore, settings: SubjectSettings
  ) throws -> Rendering {
    Rendering(mix: signal, stems: [signal], reportedLatencyMs: 0, cpuSeconds: 0.01)
  }
}

/// Returns its argument, so that the compiler keeps an allocation that is freed at once.
@inline(never) @_optimize(none)
private func used(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { memory }

@Suite struct CellCostTests {
  private func round(
    _ blockMs: [Float], cpuSeconds: Double = 1, firstBlockMs: Double = 0, silenceRatio: Double = 1
  ) -> CostRound {
    CostRound(
      cpuSeconds: cpuSeconds,
      blocks: BlockCost(
        deadlineMs: 4, blockMs: blockMs, firstBlockMs: firstBlockMs, silenceRatio: silenceRatio))
  }

  private func value(_ id: String, _ cost: CellCost) throws -> MetricResult.Outcome {
    try #require(Metric.metric(id: id)).measurement(of: cost).outcome
  }

  /// A block that is slow in one round of three is not slow; one that is slow in two is.
  @Test func theTimeOfABlockIsTheMedianOfItsRounds() throws {
    let cost = try #require(
      CellCost([
        round([1, 2, 9, 5], cpuSeconds: 3, firstBlockMs: 7, silenceRatio: 0.5),
        round([1, 8, 3, 6], cpuSeconds: 9, firstBlockMs: 20, silenceRatio: 4),
        round([7, 2, 3, 1], cpuSeconds: 2, firstBlockMs: 6, silenceRatio: 0.75),
      ]))
    #expect(cost.blocks?.blockMs == [1, 2, 3, 5] && cost.cpuSeconds == 3 && cost.rounds == 3)
    #expect(try value("cpu.block.p50", cost) == .value(2.5))
    #expect(try value("cpu.block.max", cost) == .value(5))
    #expect(try value("cpu.deadline_share", cost) == .value(1.25))
    #expect(try value("cpu.deadline_share.p50", cost) == .value(0.625))
    #expect(try value("cpu.deadline_missed", cost) == .value(0.25))
    #expect(try value("cpu.first_block", cost) == .value(7))
    #expect(try value("cpu.silence_ratio", cost) == .value(0.75))
    #expect(CellCost([]) == nil)
  }

  @Test func missingBlocksHaveAReason() throws {
    let cost = try #require(
      CellCost([CostRound(cpuSeconds: 1, peakMemoryMB: 12, noBlocks: "far away")]))
    for figure in MetricChoice.everything.ofRounds where figure.id != "memory.peak" {
      #expect(figure.measurement(of: cost) == .undefined(.noBlocks, "far away"), "\(figure.id)")
    }
    #expect(try value("memory.peak", cost) == .value(12))
  }

  @Test(arguments: [0, 1, 3]) func memoryIsCounted(allocations: Int) throws {
    let greedy = Greedy(heldBytes: 3 << 20, allocationsPerBlock: allocations)
    let cost = try BlockCost(
      of: greedy, singing: ProbeBench(ReferenceSubject()).defaultScore,
      of: Signal([Float](repeating: 0, count: 480), sampleRateHz: 48_000),
      settings: ["blockSize": .number(48)], counting: true)
    #expect(cost.blockMs.count == 10 && cost.deadlineMs == 1)
    // The array, plus the overhead of the object and the allocator.
    #expect(try (3...3.01).contains(#require(cost.peakMemoryMB)))
    #expect(throws: Refusal.self) {
      try BlockCost(
        of: greedy, singing: ProbeBench(ReferenceSubject()).defaultScore,
        of: Signal([0], sampleRateHz: 48_000), settings: [:], counting: false)
    }
  }

  @Test func heldAndPeakMemoryAreThoseOfTheThread() throws {
    var kept: UnsafeMutableRawPointer?
    let count = try #require(
      HeldMemory.during {
        free(used(malloc(100_000)))
        kept = realloc(used(malloc(10_000)), 50_000)
      })
    free(kept)
    // The allocator rounds up to 16 bytes, and large blocks to pages.
    #expect((100_000..<105_000).contains(count.peakBytes))
    #expect((50_000..<55_000).contains(count.heldBytes))
  }

  // MARK: In a sweep

  @Test func aCarefulPlanHasEveryFigure() async throws {
    let scratch = try TemporaryFolder()
    let store = try ResultStore(scratch.file("results.sqlite"))
    let corpus = try scratch.corpus()
    func run(_ more: String) async throws -> Sweep.Outcome {
      try await Sweep(Plan.decoded(buzzPlan + more), corpus: corpus, store: store).run(jobs: 2)
    }
    _ = try await run("\nmetrics: [cost]")
    var cells = try store.run().cells
    #expect(
      cells.allSatisfy {
        Set($0.measurements.keys) == ["cpu.realtime_factor", "cpu.realtime_factor.per_voice"]
      })
    // Only the timing rounds are new.
    #expect(try await run("\nmetrics: [cost]\ncost: careful").computed == 0)
    cells = try store.run().cells
    for cell in cells {
      #expect(Set(cell.measurements.keys) == Set(Metric.cost.map(\.id)))
      // Half a second has 188 blocks of 128 samples.
      #expect(cell.measurements["cpu.block.p50"]?.first?.count == 187)
      #expect(cell.value("cpu.realtime_factor.per_voice") == cell.value("cpu.realtime_factor"))
    }
    let kept = try await store.queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM costRound WHERE blockMs IS NOT NULL")
    }
    #expect(kept == 0)
  }

  /// The cues of a given lead are computed in the first pass, up to the end of the sound.
  @Test func givenNotesCanBeTimed() throws {
    let bench = try ProbeBench(ReferenceSubject(), settings: ["leadPitch": .text("given")])
    let score = bench.resolved(
      Score(id: "keys", .notes([NoteAction(atSeconds: 0, press: [NoteNumber(60)])])), noteHz: 220)
    let cost = try BlockCost(
      of: ReferenceSubject(), singing: score, of: ProbeSounds.phrase(seconds: 0.1),
      settings: bench.settings, counting: true)
    #expect(cost.blockMs.count == 37)
  }

  @Test func aFigureOfCarefulTimingIsRefusedWithoutIt() {
    #expect(throws: Plan.Problem.self) {
      try Plan.decoded(buzzPlan + "\nmetrics: [cpu.block.p99]")
    }
    #expect(throws: Never.self) {
      try Plan.decoded(buzzPlan + "\nmetrics: [cpu.block.p99]\ncost: careful")
    }
  }
}
