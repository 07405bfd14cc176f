import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Corpus
@testable import Sweep

@Suite struct SharedFolderTests {
  /// A plan of four cells, its corpus, and a folder for the processes.
  private struct Bench {
    let scratch: TemporaryFolder
    let corpus: Corpus
    var folder: URL { scratch.file("shared") }

    init() throws {
      scratch = try TemporaryFolder()
      corpus = try scratch.corpus()
    }

    var cells: [Cell] { get throws { try Plan.decoded(buzzPlan).cells(in: corpus) } }

    /// Runs the plan as one of the processes that share the folder.
    static func join(_ shared: SharedFolder, _ corpus: Corpus) async throws -> Sweep.Outcome {
      let sweep = try Sweep(
        try Plan.decoded(buzzPlan), corpus: corpus, store: try ResultStore(shared.storeFile))
      return try await sweep.run(jobs: 1, joining: shared)
    }

    func keys(_ store: URL) throws -> [String] {
      try ResultStore(reading: store).read {
        try String.fetchAll($0, sql: "SELECT key FROM cell WHERE failure IS NULL ORDER BY key")
      }
    }
  }

  @Test func everyCellIsMeasuredByOneProcess() async throws {
    let bench = try Bench()
    let (one, other) = (try SharedFolder(bench.folder), try SharedFolder(bench.folder))
    #expect(one.storeFile.lastPathComponent == "store-1.sqlite")
    #expect(other.storeFile.lastPathComponent == "store-2.sqlite")
    let corpus = bench.corpus
    async let first = Bench.join(one, corpus)
    async let second = Bench.join(other, corpus)
    let outcomes = try await [first, second]
    for outcome in outcomes {
      #expect(outcome.end == .complete && outcome.left == [])
      #expect(outcome.computed + outcome.elsewhere == 4)
    }
    let keys = try bench.keys(one.storeFile) + bench.keys(other.storeFile)
    #expect(keys.count == 4 && Set(keys).count == 4)
    let merged = try ResultStore(bench.scratch.file("merged.sqlite"))
    _ = try (merged.merge(one.storeFile), merged.merge(other.storeFile))
    #expect(try merged.run().finishedAt != nil)
    #expect(try bench.keys(merged.url).count == 4)
  }

  @Test func theBlockOfADeadProcessIsTakenOver() async throws {
    let bench = try Bench()
    let (one, other) = (try SharedFolder(bench.folder), try SharedFolder(bench.folder))
    let block = try CellBlock.blocks(of: bench.cells)[0]
    var claim: SharedFolder.Claim? = try other.claim(block)
    let corpus = bench.corpus
    async let run = Bench.join(one, corpus)
    // The store appears some time after the run has begun.
    while (try? bench.keys(one.storeFile).count) ?? 0 < 2 {
      try await Task.sleep(for: .milliseconds(50))
    }
    _ = claim.take()
    #expect(try await run.computed == 4)
  }

  @Test func aBlockIsClaimedOnceAndFreedWithItsProcess() throws {
    let bench = try Bench()
    let (one, other) = (try SharedFolder(bench.folder), try SharedFolder(bench.folder))
    let block = try CellBlock.blocks(of: bench.cells)[0]
    func isTaken() throws -> Bool {
      if case .taken = try other.claim(block) { true } else { false }
    }
    var claim: SharedFolder.Claim? = try one.claim(block)
    guard case .held? = claim else {
      Issue.record("a free block is claimed")
      return
    }
    #expect(try isTaken())
    claim = nil
    #expect(try !isTaken())
  }

  @Test func aDoneBlockNamesItsStoreAndIsFreeWithoutIt() throws {
    let bench = try Bench()
    let shared = try SharedFolder(bench.folder)
    _ = try ResultStore(shared.storeFile)
    let block = try CellBlock.blocks(of: bench.cells)[0]
    guard case .held(let held) = try shared.claim(block) else {
      Issue.record("a free block is claimed")
      return
    }
    try held.finish()
    guard case .done(let store) = try shared.claim(block) else {
      Issue.record("a finished block is done")
      return
    }
    #expect(store == "store-1.sqlite")
    try FileManager.default.removeItem(at: shared.storeFile)
    if case .done = try shared.claim(block) { Issue.record("its cells are lost") }
  }

  @Test func aFailedCellIsLeftToOtherProcesses() async throws {
    let bench = try Bench()
    let buzz = bench.scratch.file("Corpus/audio/buzz.wav")
    try FileManager.default.moveItem(at: buzz, to: bench.scratch.file("away.wav"))
    let failed = try await Bench.join(try SharedFolder(bench.folder), bench.corpus)
    #expect(failed.failed.count == 4 && failed.end == .complete)
    try FileManager.default.moveItem(at: bench.scratch.file("away.wav"), to: buzz)
    let again = try await Bench.join(try SharedFolder(bench.folder), bench.corpus)
    #expect(again.failed == [] && again.computed == 4)
  }

  @Test func blocksKeepRecordingsTogetherAndBecomeSmaller() throws {
    let scratch = try TemporaryFolder()
    let corpus = try scratch.corpus()
    let windows = (10...109).map { "\($0)" }.joined(separator: ", ")
    let text = smallPlan.replacing("windowMs: [10, 20]", with: "windowMs: [\(windows)]")
    let cells = try Plan.decoded(text).cells(in: corpus)
    let blocks = CellBlock.blocks(of: cells)
    #expect(blocks.flatMap(\.cells) == cells)
    #expect(blocks.allSatisfy { Set($0.cells.map(\.recording.id)).count == 1 })
    // 200 cells: a sixteenth of what is left, at least two.
    #expect(blocks[0].cells.count == 12)
    #expect(blocks.suffix(16).allSatisfy { $0.cells.count <= 2 })
    #expect(Set(blocks.map(\.name)).count == blocks.count)
  }

  @Test func carefulCostsAreRefused() async throws {
    let bench = try Bench()
    let shared = try SharedFolder(bench.folder)
    let plan = try Plan.decoded(buzzPlan + "\ncost: careful")
    let sweep = try Sweep(plan, corpus: bench.corpus, store: try ResultStore(shared.storeFile))
    await #expect(throws: SharedFolder.Problem.careful(plan: "small")) {
      try await sweep.run(jobs: 1, joining: shared)
    }
  }
}
