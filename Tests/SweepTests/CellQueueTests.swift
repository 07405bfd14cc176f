import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Subjects
@testable import Sweep

@Suite struct CellQueueTests {
  /// Cells of two voices × 2 conditions × 2 settings, voice by voice.
  private func cells() throws -> [Cell] {
    let rows = ["bass", "tenor"].map {
      "\($0),,synthetic:vowels-\($0),,CC0-1.0,us,\($0),sung,a voice,"
    }
    let scratch = try TemporaryFolder()
    let folder = try scratch.corpus(rows: rows)
    let plan = try Plan.decoded(
      smallPlan.replacing("[buzz, probe]", with: "[bass, tenor]")
        + "\nconditions: [clean, noise(snrDb=20)]")
    return try plan.cells(in: Corpus(folder: folder))
  }

  private func take(_ queue: inout CellQueue, besides running: [Cell] = []) throws -> Cell {
    let next = queue.next(besides: running)
    return try #require(next)
  }

  @Test func aloneTheOrderIsThatOfThePlan() throws {
    let cells = try cells()
    var queue = CellQueue(cells)
    for cell in cells { #expect(queue.next() == cell) }
    #expect(queue.left.isEmpty)
  }

  /// All cells of a synthetic voice share its oracle, so two jobs take one voice each as long as
  /// there are both.
  @Test func twoJobsTakeCellsOfDifferentReferences() throws {
    let cells = try cells()
    #expect(Set(cells.map(\.reference)).count == 2)
    var queue = CellQueue(cells)
    let first = try take(&queue)
    let second = try take(&queue, besides: [first])
    #expect(first == cells[0] && second == cells[4])
    // What was overtaken keeps its order.
    #expect(Array(queue.left) == Array(cells[1...3] + cells[5...7]))
    let third = try take(&queue, besides: [second])
    #expect(third == cells[1])
  }

  @Test func ifAllShareReferencesTheFirstIsTaken() throws {
    let cells = try cells()
    var queue = CellQueue(cells)
    #expect(queue.next(besides: [cells[0], cells[4]]) == cells[0])
    var taken = [cells[0]]
    while let cell = queue.next(besides: [taken.last!]) { taken.append(cell) }
    #expect(Set(taken.map(\.key)) == Set(cells.map(\.key)) && taken.count == cells.count)
  }
}
