/// Faults that happen now and then, and that a mean over recordings would hide.
enum RareEvents {
  /// Counts of events and shares of frames in which they happen.
  static let metrics: Set<String> = [
    "clicks.count", "dropouts.count", "samples.non_finite", "pitch.octave_errors",
    "pitch.gross_errors", "voice.missing",
  ]

  /// Returns true if one cell may have an event that the mean over recordings hides.
  static func isHinted(by difference: MetricDifference) -> Bool {
    guard metrics.contains(difference.metric), let cell = difference.extreme else { return false }
    return cell.candidate - cell.baseline >= difference.minimumEffect
  }
}
