import Foundation
import Metrics

/// Findings about one metric on one class of recordings.
public struct MetricValidity: Codable, Equatable, Sendable {
  public var metric: String
  public var kind: RecordingClass
  public var grade: MetricGrade
  /// Value on the ideal voice; `nil` if undefined there.
  public var atIdeal: Double?
  /// True if the ideal voice reads as ideal, within the minimum effect or the noise.
  public var isIdealAtIdeal: Bool
  /// True if it gets worse with each dose of what it is about; `nil` without such a defect.
  public var isMonotone: Bool?
  /// Agreement with the known order of systems, -1 to 1 (gamma); `nil` if none is known or too few have a
  /// value.
  public var rank: Double?
  /// Range from the best real system to the worst sound over the noise between takes.
  public var rangeOverNoise: Double?
  /// Largest effect of a defect that it is not about, over that of those that it is about.
  public var crossTalk: Double?
  /// The defect with that effect.
  public var mostDisturbing: String?

  /// Limits of the grade `decides`.
  static let (leastRank, leastRange) = (0.9, 10.0)
  /// Rank from which a metric describes.
  static let leastDescribingRank = 0.6
}
