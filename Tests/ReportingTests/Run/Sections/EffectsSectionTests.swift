import Corpus
import Foundation
import Metrics
import Sweep
import Testing

@testable import Reporting

@Suite struct EffectsSectionTests {
  /// Two effects alone and in both orders, with given latencies and envelope distances.
  @Test func linksAddWhatTheyAddAndOrdersAreRanked() async throws {
    let small = try await SmallRun()
    let model = try #require(small.run.cells.first { $0.kind != "probe" })
    let chains: [(text: String, latencyMs: Double, damageDb: Double)] = [
      ("dry", 5, 1), ("gate", 6, 2), ("compressor", 7, 3), ("gate > compressor", 9, 6),
      ("compressor > gate", 10, 4),
    ]
    var run = small.run
    run.cells = chains.enumerated().map { index, chain in
      var cell = model
      cell.key = "\(index)"
      cell.settings = ["effects": .text(chain.text)]
      cell.outcome = .measured(
        Measurements([
          "latency.alignment": [.value(chain.latencyMs, count: 1)],
          "cpu.realtime_factor": [.value(0.01 * chain.damageDb, count: 1)],
          "envelope.lsd": [.value(chain.damageDb, voice: 0, count: 1)],
        ]))
      return cell
    }
    run.plan.settings = try JSONDecoder().decode(
      SettingAxes.self, from: Data(#"{"effects": ["dry", "gate", "compressor"]}"#.utf8))
    let facts = try RunFacts(run, in: small.store, corpus: small.corpus, command: "")
    let section = try #require(EffectsSection(facts: facts).section())
    let links = section.tables[0].rows
    // compressor: 7 - 5, 9 - 6, 10 - 6 ms, median 3; gate: 6 - 5, 9 - 7, 10 - 7 ms, median 2.
    #expect(links.map { $0[0] } == [.text("compressor"), .text("gate")])
    #expect(links.map { $0[1] } == [.amount(3), .amount(2)])
    let orders = section.tables[1].rows
    #expect(orders.count == 1)
    #expect(
      orders[0][0] == .text("compressor > gate") && orders[0][2] == .text("gate > compressor"))
    #expect(orders[0][1] == .amount(4) && orders[0][3] == .amount(6))
    // The picture has chains without clear onsets too: cost in percent against latency.
    let plot = try #require(section.drawings.first?.plot as? TradePlot)
    #expect(plot.points.map(\.x).sorted() == [1, 2, 3, 4, 6])
    #expect(plot.points.first { $0.role == .default }?.y == 5)
  }
}
