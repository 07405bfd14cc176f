import Statistics

/// The cost of a cell over all its rounds.
///
/// Rounds play the same sound, so a block's time is the median over its rounds. A disturbance by the
/// machine rarely hits the same block twice, while a block with more work is slow in every round.
package struct CellCost: Sendable {
  package let rounds: Int
  /// Median processor time of the whole rendering.
  package let cpuSeconds: Double
  package let peakMemoryMB: Double?
  package let noBlocks: String?
  package let blocks: Blocks?

  /// A figure that these rounds can't give.
  package enum Gap: Error, Equatable, CustomStringConvertible {
    case noBlocks(String)
    case noMemory(String)

    package var description: String {
      switch self {
      case .noBlocks(let reason), .noMemory(let reason): reason
      }
    }
  }

  package struct Blocks: Sendable {
    package let deadlineMs: Double
    package let blockMs: [Double]
    package let firstBlockMs: Double
    package let silenceRatio: Double
  }

  /// Summarizes rounds; returns `nil` without any.
  package init?(_ rounds: [CostRound]) {
    guard let cpuSeconds = Statistics.median(rounds.map(\.cpuSeconds)) else { return nil }
    self.rounds = rounds.count
    self.cpuSeconds = cpuSeconds
    peakMemoryMB = rounds.compactMap { $0.blocks?.peakMemoryMB ?? $0.peakMemoryMB }.max()
    noBlocks = rounds.compactMap(\.noBlocks).first
    blocks = Blocks(rounds.compactMap(\.blocks))
  }
}

extension CellCost.Blocks {
  fileprivate init?(_ rounds: [BlockCost]) {
    guard let first = rounds.first, !first.blockMs.isEmpty,
      rounds.allSatisfy({ $0.blockMs.count == first.blockMs.count })
    else { return nil }
    deadlineMs = first.deadlineMs
    blockMs = first.blockMs.indices.map { block in
      Statistics.median(rounds.map { Double($0.blockMs[block]) })!
    }
    firstBlockMs = Statistics.median(rounds.map(\.firstBlockMs))!
    silenceRatio = Statistics.median(rounds.map(\.silenceRatio))!
  }
}
