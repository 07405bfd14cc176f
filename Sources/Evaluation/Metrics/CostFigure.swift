import Statistics

/// A metric that needs rounds of careful timing: the cost of single blocks, or memory.
package struct CostFigure: Sendable {
  package let id: String
  var version = 1
  let unit: String
  let summary: String
  let domain: String
  let value: @Sendable (CellCost) throws(Undefined) -> Double

  var metric: Metric {
    Metric(
      id, version: version, unit: unit, .lower, summary,
      domain: "\(domain); \(Undefined.carefulCostOnly)",
      takesCare: true
    ) { _ in [.undefined(.carefulCostOnly)] }
  }

  package func measurement(of cost: CellCost) -> MetricResult {
    do {
      return .value(try value(cost), count: cost.blocks?.blockMs.count ?? cost.rounds)
    } catch { return .undefined(error) }
  }
}

extension CostFigure {
  static let all: [CostFigure] =
    times.map { name, words, share in
      ofBlocks("cpu.block.\(name)", unit: "ms", "Processor time of a block: \(words)") { blocks in
        Statistics.quantile(blocks.blockMs, share)!
      }
    } + tails + deadlines + others

  private static let times: [(String, String, Double)] = [
    ("p50", "median", 0.5), ("p95", "95th percentile", 0.95),
    ("p99", "99th percentile", 0.99), ("p99_9", "99.9th percentile", 0.999),
    ("max", "maximum", 1),
  ]

  private static let tails: [CostFigure] = [
    ofTail("cpu.block.tail", "99.9th percentile of block times, by a Pareto tail", \.value),
    ofTail(
      "cpu.block.tail.lower", "Lower limit of the 95 % interval of cpu.block.tail", \.lower),
    ofTail(
      "cpu.block.tail.upper", "Upper limit of the 95 % interval of cpu.block.tail", \.upper),
  ]

  private static let deadlines: [CostFigure] = [
    ofBlocks(
      "cpu.deadline_share", unit: "ratio", "Largest processor time of a block over its duration"
    ) { $0.blockMs.max()! / $0.deadlineMs },
    ofBlocks(
      "cpu.deadline_share.p50", unit: "ratio",
      "Median processor time of a block over its duration"
    ) { Statistics.median($0.blockMs)! / $0.deadlineMs },
    ofBlocks(
      "cpu.deadline_missed", unit: "share", "Blocks whose processor time exceeds their duration"
    ) { blocks in
      Double(blocks.blockMs.count { $0 > blocks.deadlineMs }) / Double(blocks.blockMs.count)
    },
  ]

  private static let others: [CostFigure] = [
    ofBlocks(
      "cpu.first_block", unit: "ms", "Processor time of the first block"
    ) { $0.firstBlockMs },
    ofBlocks(
      "cpu.silence_ratio", unit: "ratio",
      "Median block time in silence, from 1 s after the sound, over that in the sound"
    ) { $0.silenceRatio },
    CostFigure(
      id: "memory.peak", version: 2, unit: "MB",
      summary: "Peak memory: heap of a live subject, including its construction; all memory of a "
        + "program",
      domain: "live subjects and programs"
    ) { cost throws(Undefined) in
      guard let peak = cost.peakMemoryMB else {
        throw Undefined(
          .hiddenAllocations, cost.noBlocks ?? "a sanitizer has its own allocator")
      }
      return peak
    },
  ]

  private static func ofBlocks(
    _ id: String, unit: String, _ summary: String, and more: String = "",
    _ value: @escaping @Sendable (CellCost.Blocks) throws(Undefined) -> Double
  ) -> CostFigure {
    CostFigure(
      id: id, unit: unit, summary: summary,
      domain: "live subjects of this package; each block's time is the median of five rounds"
        + more
    ) { cost throws(Undefined) in
      guard let blocks = cost.blocks else {
        throw Undefined(.noBlocks, cost.noBlocks ?? "there are no blocks")
      }
      return try value(blocks)
    }
  }

  private static func ofTail(
    _ id: String, _ summary: String, _ end: @escaping @Sendable (ParetoTail.Level) -> Double
  ) -> CostFigure {
    ofBlocks(
      id, unit: "ms", summary,
      and: "; at least 1000 blocks, the largest 5 % of which fit the distribution (p ≥ 0.05)"
    ) { blocks throws(Undefined) in end(try blocks.tail.get()) }
  }
}
