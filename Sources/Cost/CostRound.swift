/// What one round of careful timing says of a cell.
package struct CostRound: Equatable, Sendable {
  /// Of the whole rendering, on a core.
  package var cpuSeconds: Double
  /// Of a program of somebody else's; what a live subject holds is among its blocks' costs.
  package var peakMemoryMB: Double?
  package var blocks: BlockCost?
  /// Why there are no blocks, where there are none.
  package var noBlocks: String?

  package init(
    cpuSeconds: Double, peakMemoryMB: Double? = nil, blocks: BlockCost? = nil,
    noBlocks: String? = nil
  ) {
    self.cpuSeconds = cpuSeconds
    self.peakMemoryMB = peakMemoryMB
    self.blocks = blocks
    self.noBlocks = noBlocks
  }
}
