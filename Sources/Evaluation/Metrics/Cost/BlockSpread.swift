import Statistics

/// The distribution of block times, against the deadline of a block.
public struct BlockSpread: Encodable, Sendable {
  public var blockSize: Int
  public var pace: BlockTimes.Pace
  public var blocks: Int
  public var deadlineMs: Double
  /// Median processor time of a block; the percentiles below are processor times too.
  public var p50Ms: Double
  public var p95Ms: Double
  public var p99Ms: Double
  public var p999Ms: Double
  public var maxMs: Double
  /// Median processor time as a share of the deadline.
  public var p50Share: Double
  /// Largest processor time as a share of the deadline.
  public var maxShare: Double
  /// Share of the blocks whose elapsed time exceeded the deadline, for any cause.
  public var missedShare: Double

  /// Summarizes block times; returns `nil` without blocks.
  public init?(of times: BlockTimes, pace: BlockTimes.Pace) {
    guard let largest = times.cpuMs.max() else { return nil }
    func quantile(_ share: Double) -> Double { Statistics.quantile(times.cpuMs, share) ?? largest }
    (blockSize, self.pace, blocks) = (times.blockSize, pace, times.cpuMs.count)
    deadlineMs = times.deadlineMs
    (p50Ms, p95Ms, p99Ms, p999Ms) = (quantile(0.5), quantile(0.95), quantile(0.99), quantile(0.999))
    maxMs = largest
    (p50Share, maxShare) = (p50Ms / deadlineMs, largest / deadlineMs)
    let deadline = deadlineMs
    missedShare = Double(times.wallMs.count { $0 > deadline }) / Double(blocks)
  }
}
