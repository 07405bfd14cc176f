import TestSupport
import Testing

@testable import Metrics
@testable import Sweep
@testable import choir_eval

@Suite struct PreliminaryTextTests {
  /// Two recordings of three settings: errors in cents of two voices, and latencies. `late` is beaten by
  /// `best` in both figures, `early` in one only.
  private static let figures: [(engine: String, cents: [Double], ms: Double?)] = [
    ("late", [3, 5], 50), ("early", [9, 2], 5), ("best", [2, 4], 10), ("unknown", [1, 1], nil),
  ]

  private static func run() throws -> StoredRun {
    let plan = try Plan(reading: Repository.file("Corpus/plans/engines.yaml"))
    let cells = figures.flatMap { setting in
      ["one", "two"].map { recording in
        CellResult(
          key: setting.engine + recording, recording: recording, kind: "sung",
          score: plan.scores[0], subject: "reference",
          settings: ["engine": .text(setting.engine)], sampleRateHz: 48_000,
          outcome: .measured(
            Measurements([
              "pitch.abs_error": setting.cents.enumerated().map {
                .value($1, voice: $0, count: 100)
              },
              "latency.onset": setting.ms.map { [.value($0, count: 3)] } ?? [],
            ])))
      }
    }
    return StoredRun(
      plan: plan, startedAt: "", finishedAt: nil, cells: cells, plannedCells: 20)
  }

  /// Each line has the worst voice's error, sorted, and a star where no setting is better in both.
  @Test func theFrontIsMarked() throws {
    let text = try #require(PreliminaryText.table(try Self.run()))
    #expect(text.hasPrefix("so far: 8 of 20 cells"))
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("─") }.dropFirst()
    #expect(
      rows.map { $0.split(separator: " ").first { Double($0) == nil && $0 != "*" } }
        == ["unknown", "best", "late", "early"])
    #expect(rows.map { $0.hasPrefix("*") } == [false, true, false, true])
    #expect(rows.dropFirst().first?.contains(#/ 4\.0 .* 10\.0$/#) == true)
  }

  @Test func nothingIsShownOfNothing() throws {
    var run = try Self.run()
    run.cells = []
    #expect(PreliminaryText.table(run) == nil)
  }
}
