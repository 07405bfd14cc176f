import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Corpus
@testable import Sweep

@Suite struct MergeTests {
  private let scratch = try! TemporaryFolder()

  /// Returns all rows without times and speeds.
  private func rows(_ store: ResultStore) throws -> [String] {
    try store.queue.read { database in
      try [
        "SELECT name, plan, finishedAt IS NULL FROM run",
        "SELECT run, position, cell FROM runCell",
        """
        SELECT key, recording, kind, condition, score, scoreContent, subject, settings,
          sampleRateHz, failure FROM cell
        """,
        "SELECT * FROM result WHERE metric NOT LIKE 'cpu.%'", "SELECT * FROM trace",
      ].flatMap { try Row.fetchAll(database, sql: $0).map { "\($0)" }.sorted() }
    }
  }

  private func shard(
    _ text: String?, _ corpus: Corpus, into name: String
  ) async throws -> ResultStore {
    let store = try ResultStore(scratch.file("\(name).sqlite"))
    let plan = try Plan.decoded(buzzPlan + "\nlisten: [buzz]")
    let sweep = try Sweep(plan, corpus: corpus, store: store, shard: text.flatMap { Shard($0) })
    _ = try await sweep.run(jobs: 2)
    return store
  }

  @Test func shardsMakeTheRowsOfOneRun() async throws {
    let corpus = try scratch.corpus()
    let whole = try await shard(nil, corpus, into: "whole")
    let merged = try ResultStore(scratch.file("merged.sqlite"))
    for number in 1...3 {
      let part = try await shard("\(number)/3", corpus, into: "part\(number)")
      #expect(try part.run().finishedAt == nil && part.run().plannedCells == 4)
      #expect(try merged.merge(part.url).cells == (number == 3 ? 2 : 1))
    }
    #expect(try rows(merged) == rows(whole))
    #expect(try merged.run().finishedAt != nil)
    // A second merge changes nothing.
    let again = try merged.merge(whole.url)
    #expect(again.cells == 0 && again.shared == 4 && again.different == [])
    #expect(try rows(merged) == rows(whole))
  }

  @Test func aMeasuredCellReplacesAFailedOne() async throws {
    let corpus = try scratch.corpus()
    let buzz = scratch.file("Corpus/audio/buzz.wav")
    try FileManager.default.moveItem(at: buzz, to: scratch.file("away.wav"))
    let failed = try await shard(nil, corpus, into: "failed")
    #expect(try failed.run().failures.count == 4)
    try FileManager.default.moveItem(at: scratch.file("away.wav"), to: buzz)
    let good = try await shard(nil, corpus, into: "good")
    _ = try failed.merge(good.url)
    #expect(try failed.run().failures.isEmpty)
    #expect(try rows(failed) == rows(good))
  }

  @Test func numbersThatDifferAreNamed() async throws {
    let corpus = try scratch.corpus()
    let ours = try await shard(nil, corpus, into: "ours")
    let theirs = try await shard(nil, corpus, into: "theirs")
    let key = try theirs.run().cells[0].key
    try await theirs.queue.write { database in
      try database.execute(
        sql: """
          UPDATE measurement SET value = value + 1 WHERE value IS NOT NULL
          AND cell = (SELECT id FROM cell WHERE key = ?)
          """, arguments: [key])
    }
    let before = try rows(ours)
    #expect(try ours.merge(theirs.url).different == [key])
    #expect(try rows(ours) == before)
  }

  @Test func anotherPlanWithTheSameNameIsRefused() async throws {
    let corpus = try scratch.corpus()
    let store = try await shard(nil, corpus, into: "one")
    let other = try ResultStore(scratch.file("other.sqlite"))
    let plan = try Plan.decoded(buzzPlan.replacing("[10, 20, 30, 40]", with: "[50]"))
    _ = try await Sweep(plan, corpus: corpus, store: other).run(jobs: 1)
    let before = try rows(store)
    #expect(throws: StoreError.self) { try store.merge(other.url) }
    #expect(try rows(store) == before)
    #expect(throws: StoreError.self) { try store.merge(scratch.file("none.sqlite")) }
  }

  @Test(arguments: ["1/2", "3/3", "1/1"])
  func shardsAreRead(text: String) throws { #expect(Shard(text)?.description == text) }

  @Test(arguments: ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "", "-1/2", "1/1000001"])
  func otherTextsAreNoShards(text: String) { #expect(Shard(text) == nil) }

  /// Each cell is in exactly one part, and the sizes of parts differ by at most one.
  @Test(arguments: [(10, 3), (2, 5), (7, 7), (0, 2)])
  func partsAreEqual(cells: Int, count: Int) throws {
    let parts = (1...count).map { Array(Shard("\($0)/\(count)")!.part(of: Array(0..<cells))) }
    #expect(parts.flatMap(\.self) == Array(0..<cells))
    #expect(parts.map(\.count).max()! - parts.map(\.count).min()! <= 1)
  }
}
