/// How late single events come out, as a distribution: its middle is the delay, its width the
/// jitter.
public struct DelayEstimate: Codable, Equatable, Sendable {
  public var meanMs: Double
  public var medianMs: Double
  public var p5Ms: Double
  public var p95Ms: Double
  /// Events that came out.
  public var events: Int
  /// Events that didn't, or not recognisably.
  public var lost: Int
  /// How far to believe it, 0 to 1: the median over events of how like the input each came out.
  public var confidence: Double

  /// Width of the middle 90 %.
  public var jitterMs: Double { p95Ms - p5Ms }

  /// - Returns: `nil` without events.
  public init?(delaysMs: [Double], lost: Int, confidence: Double) {
    guard let mean = Statistics.mean(delaysMs) else { return nil }
    meanMs = mean
    medianMs = Statistics.quantile(delaysMs, 0.5)!
    p5Ms = Statistics.quantile(delaysMs, 0.05)!
    p95Ms = Statistics.quantile(delaysMs, 0.95)!
    events = delaysMs.count
    self.lost = lost
    self.confidence = confidence
  }
}
