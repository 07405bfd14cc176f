import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Metrics
@testable import Platform
@testable import Subjects
@testable import Sweep

/// Cells are created in another order than that of the plan, and measurements lie in that of metrics.
@Suite struct LargeRunTests {
  private let scratch: TemporaryFolder
  private let url: URL
  private static let cells = 4100

  init() throws {
    scratch = try TemporaryFolder()
    url = scratch.file("results.sqlite")
    try Self.fill(ResultStore(url))
  }

  /// Returns the measurements of a cell: of two voices, of the whole sound, of some cells only.
  /// Every tenth cell has failed and has none.
  private static func outcome(_ number: Int) -> [String: [MetricResult]] {
    guard number % 10 != 3 else { return [:] }
    var all: [String: [MetricResult]] = [
      "pitch.abs_error": [
        .value(Double(number) / 7, voice: 0, count: number),
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

  private static func fill(_ store: ResultStore) throws {
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
        try ResultStore.insert(outcome(number), ofCell: database.lastInsertedRowID, into: database)
        try database.execute(
          sql: "INSERT INTO runCell VALUES ('small', ?, ?)",
          // Positions may have gaps, and cells need not be in the order of their creation.
          arguments: [3 * (number + 7) % 12_301, "key\(number)"])
      }
    }
  }

  @Test func cellsHoldTheirMeasurements() throws {
    let cells = try ResultStore(url).run().cells
    #expect(cells.count == Self.cells)
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

  @Test(arguments: [["pitch.abs_error"], ["dc.offset", "latency.onset"], ["nobody.knows"]])
  func someMetricsEqualThoseOfTheWhole(metrics: [String]) throws {
    let cells = try ResultStore(url).run(metrics: metrics).cells
    let differ = cells.filter { cell in
      cell.measurements
        != Self.outcome(Int(cell.key.dropFirst(3))!).filter { metrics.contains($0.key) }
    }
    #expect(cells.count == Self.cells && differ.isEmpty, "\(differ.map(\.key).prefix(5))")
  }

  /// Cells that lie far apart are read one by one.
  @Test func someCellsEqualThoseOfTheWhole() throws {
    let keys = ["key4092", "key7", "key3", "key2000"]
    let cells = try ResultStore(url).cells(keys: keys + ["key9999"])
    #expect(cells.map(\.key) == keys)
    #expect(cells.map(\.measurements) == [4092, 7, 3, 2000].map(Self.outcome))
  }

  @Test func gapsAreCountedInTheStoreAsInTheRun() throws {
    let store = try ResultStore(url)
    let counts = try store.undefinedCounts(ofRun: "small")
    #expect(try counts == store.run().undefinedCounts() && counts.count == 2)
  }

  @Test func aReplacedCellLeavesNoMeasurements() throws {
    let store = try ResultStore(url)
    var cell = try #require(store.cells(keys: ["key4092"]).first)
    cell.outcome = .measured(Measurements(["pitch.abs_error": [.value(99, voice: 0, count: 1)]]))
    try store.save(FinishedCell(result: cell, traces: []))
    #expect(try store.cells(keys: ["key4092"])[0].measurements == cell.measurements)
    try store.write { try $0.execute(sql: "DELETE FROM cell WHERE key = 'key17'") }
    #expect(try store.run().cells.count == Self.cells - 1)
    let orphans = try store.read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM measurement WHERE cell NOT IN (SELECT id FROM cell)")
    }
    #expect(orphans == 0)
  }
}
