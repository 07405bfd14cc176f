import Foundation
import Metrics

/// Findings about one metric on one class of recordings.
struct MetricValidity: Codable, Equatable, Sendable {
  var metric: String
  var kind: RecordingClass
  var grade: MetricGrade
  /// Value on the ideal voice; `nil` if undefined there.
  var atIdeal: Double?
  /// True if the ideal voice reads as ideal, within the minimum effect or the noise.
  var readsIdealOnIdealVoice: Bool
  /// True if it gets worse with each dose of what it is about; `nil` without such damage.
  var isMonotone: Bool?
  /// Agreement with the known order of systems, -1 to 1 (gamma); `nil` if none is known or too few have a
  /// value.
  var rank: Double?
  /// Range from the best real system to the worst sound over the noise between takes.
  var rangeOverNoise: Double?
  /// Largest effect of damage that it is not about, over that of those that it is about.
  var crossTalk: Double?
  /// The fault with that effect.
  var maxDisturber: String?

  /// Limits of the grade `decides`.
  static let (minRank, minRange) = (0.9, 10.0)
  /// Rank from which a metric describes.
  static let minDescribingRank = 0.6
}
