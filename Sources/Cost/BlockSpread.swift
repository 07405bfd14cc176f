import Files
import Statistics

/// The times of many blocks in a few numbers, beside the time that there is for a block.
public struct BlockSpread: Encodable, Sendable {
  public var blockSize: Int
  public var pace: BlockTimes.Pace
  public var blocks: Int
  public var deadlineMs: Double
  /// Time on a core.
  public var p50Ms: Double
  public var p95Ms: Double
  public var p99Ms: Double
  public var p999Ms: Double
  public var maxMs: Double
  /// Of the deadline, by time on a core: what is usual, and the largest seen.
  public var p50Share: Double
  public var maxShare: Double
  /// Of blocks whose time on the clock was beyond the deadline, whoever was to blame.
  public var missedShare: Double
  /// p99.9 as the tail of the distribution has it, with its interval; `nil` beside a reason.
  public var tail: ParetoTail.Level?
  /// How often a true law would fit worse; below 0.05 the tail is not to be believed.
  public var tailFitPValue: Double?
  public var tailUndefined: String?

  /// - Returns: `nil` without blocks.
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
    do {
      let law = try ParetoTail(of: times.cpuMs)
      (tail, tailFitPValue) = (law.quantile(0.999), law.fitPValue)
      if law.fitPValue < 0.05 {
        tailUndefined =
          "the times above \(fixed(law.threshold, 4)) ms don't follow the law of tails"
        tail = nil
      }
    } catch { tailUndefined = "\(error)" }
  }

  private enum Key: String, CodingKey {
    case blockSize, pace, blocks, deadlineMs, p50Ms, p95Ms, p99Ms, p999Ms, maxMs, p50Share, maxShare
    case missedShare, tail, tailFitPValue, tailUndefined
  }

  /// A missing value is null beside its reason.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(blockSize, forKey: .blockSize)
    try container.encode(pace, forKey: .pace)
    try container.encode(blocks, forKey: .blocks)
    try container.encode(deadlineMs, forKey: .deadlineMs)
    try container.encode(p50Ms, forKey: .p50Ms)
    try container.encode(p95Ms, forKey: .p95Ms)
    try container.encode(p99Ms, forKey: .p99Ms)
    try container.encode(p999Ms, forKey: .p999Ms)
    try container.encode(maxMs, forKey: .maxMs)
    try container.encode(p50Share, forKey: .p50Share)
    try container.encode(maxShare, forKey: .maxShare)
    try container.encode(missedShare, forKey: .missedShare)
    try container.encode(tail, forKey: .tail)
    try container.encode(tailFitPValue, forKey: .tailFitPValue)
    try container.encodeIfPresent(tailUndefined, forKey: .tailUndefined)
  }
}
