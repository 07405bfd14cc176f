import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Gate
@testable import Metrics
@testable import Platform
@testable import Subjects
@testable import Sweep

/// A large run is read from a digest of its numbers, which must always equal the table.
@Suite struct ResultDigestTests {
  private let scratch: TemporaryFolder
  private let url: URL
  /// Number of cells; more than one part of a digest holds.
  private static let cells = 4100

  init() throws {
    scratch = try TemporaryFolder()
    url = scratch.file("results.sqlite")
    try Self.fill(ResultStore(url, digestedCells: .max))
  }

  /// Returns the measurements of a cell: of two voices, of the whole sound, of some cells only.
  /// Every tenth cell has failed and has none.
  private static func outcome(_ number: Int, scaled scale: Double = 1) -> [String: [MetricResult]] {
    guard number % 10 != 3 else { return [:] }
    var all: [String: [MetricResult]] = [
      "pitch.abs_error": [
        .value(scale * Double(number) / 7, voice: 0, count: number),
        .undefined(.tooLittleVoice, "unsung", voice: 1),
      ],
      "latency.onset": [
        number % 2 == 0
          ? .value(-0.5, count: 1) : .undefined(.tooFewOnsets, "only \(number % 3) onsets")
      ],
    ]
    // One of the last cells in the order of the plan.
    if number == 4092 { all["dc.offset"] = [.value(1e-300, count: 2)] }
    return all
  }

  private static func fill(_ store: ResultStore, scaled scale: Double = 1) throws {
    let plan = try JSONEncoder.canonical.encode(Plan.decoded(smallPlan))
    let score = Score(id: "third", intervalsSemitones: [4, 7]).canonical
    try store.write { database in
      try database.execute(
        sql: "INSERT INTO run VALUES ('small', ?, '2026', '2026', NULL)",
        arguments: [String(decoding: plan, as: UTF8.self)])
      for number in 0..<cells {
        try database.execute(
          sql: """
            INSERT INTO cell (key, recording, kind, condition, score, scoreContent, subject, settings,
              sampleRateHz, failure) VALUES (?, ?, ?, 'clean', 'third', ?, 'reference', '{}',
              48000, ?)
            """,
          arguments: [
            "key\(number)", "alto\(number)", number % 5 == 0 ? "probe" : "sung", score,
            number % 10 == 3 ? "it crashed" : nil,
          ])
        try ResultStore.insert(
          outcome(number, scaled: scale), ofCell: database.lastInsertedRowID, into: database)
        try database.execute(
          sql: "INSERT INTO runCell VALUES ('small', ?, ?)",
          // Positions may have gaps, and cells need not be in the order of their creation.
          arguments: [3 * (number + 7) % 12_301, "key\(number)"])
      }
    }
  }

  private func digests(_ store: ResultStore) throws -> Int {
    try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM digest")! }
  }

  @Test func aDigestEqualsTheTable() throws {
    let plain = try ResultStore(url, digestedCells: .max)
    let table = try (plain.run(named: "small"), plain.undefinedCounts(ofRun: "small"))
    #expect(try digests(plain) == 0)
    let store = try ResultStore(url, digestedCells: Self.cells)
    for metrics in [nil, ["pitch.abs_error"], ["dc.offset", "latency.onset"], ["nobody.knows"]] {
      let read = try store.run(named: "small", metrics: metrics)
      #expect(read.cells.map(\.key) == table.0.cells.map(\.key))
      let differ = zip(read.cells, table.0.cells).contains { found, whole in
        found.measurements
          != whole.measurements.filter { metrics?.contains($0.key) ?? true }
      }
      #expect(!differ, "\(metrics ?? [])")
    }
    // One of the three metrics has cells in the second part only.
    #expect(try digests(store) == 5)
    #expect(try store.undefinedCounts(ofRun: "small") == table.1)
  }

  @Test func cellsHoldTheirMeasurements() throws {
    let cells = try ResultStore(url, digestedCells: 1).run().cells
    for cell in cells {
      let number = Int(cell.key.dropFirst(3))!
      if cell.measurements != Self.outcome(number) { Issue.record("\(cell.key) differs") }
    }
    let last = try #require(cells.first { $0.key == "key4096" })
    #expect(last.value("pitch.abs_error", voice: 0) == 4096.0 / 7)
    #expect(last.value("pitch.abs_error", voice: 1) == nil)
    #expect(last.value("latency.onset") == -0.5)
    #expect(last.measurements(of: "dc.offset").isEmpty)
  }

  /// A comparison of two digested runs reads one metric at a time. Its result equals that of the
  /// tables, also if a digest is corrupt or only some cells are compared.
  @Test func comparisonsReadAMetricAtATime() throws {
    let other = scratch.file("other.sqlite")
    try Self.fill(ResultStore(other, digestedCells: .max), scaled: 1.01)
    let metrics = ["pitch.abs_error", "latency.onset"]
    var settings = RunComparison.Settings()
    settings.metrics = metrics
    func compare(digestedCells: Int, spoiling: Bool = false) throws -> RunComparison {
      let sides = try [url, other].map { url in
        let store = try ResultStore(url, digestedCells: digestedCells)
        let read = try store.runToCompare(metrics: metrics)
        #expect(read.isDigested == (digestedCells == 1))
        var run = read.run
        run.cells.removeAll { Int($0.key.dropFirst(3))! % 41 != 0 }
        if spoiling {
          try store.write { try $0.execute(sql: "UPDATE digest SET content = x'01'") }
        }
        return ComparedRun(run, readingFrom: read.isDigested ? store : nil)
      }
      return try RunComparison(baseline: sides[0], candidate: sides[1], settings)
    }
    let whole = try compare(digestedCells: .max)
    // One cell in ten failed; one voice of the rest sings, and half of all cells have an onset.
    #expect(whole.pairedCells == 100 && whole.failedOnBoth == 10)
    #expect(whole.differences.map(\.cells).sorted() == [50, 90])
    #expect(try compare(digestedCells: 1).differences == whole.differences)
    #expect(try compare(digestedCells: 1, spoiling: true).differences == whole.differences)
  }

  @Test func aRunThatChangesWhileItIsComparedIsNamed() throws {
    let store = try ResultStore(url, digestedCells: 1)
    let read = try store.runToCompare(metrics: ["pitch.abs_error"])
    let side = ComparedRun(read.run, readingFrom: store)
    try store.write { try $0.execute(sql: "DELETE FROM digest") }
    #expect(throws: StoreError.changedRun(name: "small")) {
      try RunComparison(baseline: side, candidate: side)
    }
  }

  @Test func aChangedCellIsReadAgain() throws {
    let store = try ResultStore(url, digestedCells: 1)
    var cell = try store.run().cells[40]
    #expect(try digests(store) > 0)
    cell.outcome = .measured(Measurements(["pitch.abs_error": [.value(99, voice: 0, count: 1)]]))
    try store.save(FinishedCell(result: cell, traces: []))
    #expect(try digests(store) == 0)
    let read = try store.run().cells[40]
    #expect(read.key == cell.key && read.value("pitch.abs_error", voice: 0) == 99)
    #expect(try digests(store) > 0)
  }

  @Test func anIncompleteRunHasNoDigest() throws {
    let store = try ResultStore(url, digestedCells: 1)
    try store.write { try $0.execute(sql: "DELETE FROM cell WHERE key = 'key17'") }
    #expect(try store.run().cells.count == Self.cells - 1)
    #expect(try digests(store) == 0)
  }

  @Test func aCorruptDigestIsNotUsed() throws {
    let store = try ResultStore(url, digestedCells: 1)
    _ = try store.run()
    try store.write { try $0.execute(sql: "UPDATE digest SET content = x'0102030405060708090a'") }
    #expect(try store.run().cells.first { $0.key == "key8" }?.value("latency.onset") == -0.5)
  }
}
