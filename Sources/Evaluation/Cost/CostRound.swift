/// What one round of careful timing says of a cell.
struct CostRound: Equatable, Sendable {
  /// Of the whole rendering, on a core.
  var cpuSeconds: Double
  /// Of a program of somebody else's; what a live subject holds is among its blocks' costs.
  var peakMemoryMB: Double?
  var blocks: BlockCost?
  /// Why there are no blocks, where there are none.
  var noBlocks: String?
}
