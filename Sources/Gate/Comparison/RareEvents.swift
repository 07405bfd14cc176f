/// Faults that happen now and then, and that a mean over recordings would hide.
enum RareEvents {
  /// Counts of events and shares of frames in which they happen.
  static let metrics: Set<String> = [
    "clicks.count", "dropouts.count", "samples.non_finite", "pitch.octave_errors",
    "pitch.gross_errors", "voice.missing",
  ]
}
