import Statistics

/// The distribution of the delays of single events: its median is the delay, its width the jitter.
public struct DelayEstimate: Codable, Equatable, Sendable {
  public var meanMs: Double
  public var medianMs: Double
  public var p5Ms: Double
  public var p95Ms: Double
  /// Number of events found in the output.
  public var events: Int
  /// Number of events not recognized in the output.
  public var lost: Int
  /// Confidence, 0 to 1: the median over events of the similarity to the input.
  public var confidence: Double

  /// Width of the middle 90 %.
  public var jitterMs: Double { p95Ms - p5Ms }

  /// - Returns: `nil` if there are no events.
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
