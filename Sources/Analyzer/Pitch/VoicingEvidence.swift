import Foundation

/// The evidence for a voice in one frame.
struct VoicingEvidence: Equatable {
  /// Correlations of the chosen period, see `PitchFrame.Candidate`; 0 without one.
  var correlation = 0.0
  var nearCorrelation = 0.0
  var persistence = 0.0
  /// Correlation of the refiner over its own short stretch; 0 if it found no period.
  var refined = 0.0
  /// Level relative to the loud parts of the sound, -40 to 0; a voice is seldom much softer.
  var levelDb = -40.0
  /// Level relative to the loudest of the last quarter of a second, -30 to 0; echoes are low.
  var fallDb = 0.0
  /// Share of the power that exceeds the sound's noise.
  var shareAboveNoise = 0.0

  private static let fallSeconds = 0.25
  /// Share of the sounding frames that are no louder than the loud parts.
  private static let loudShare = 0.95

  static func all(
    _ frames: [ChosenFrame], _ measured: [PeriodRefiner.Measurement?], hopSeconds: Double
  ) -> [VoicingEvidence] {
    let levels = frames.map { 10 * log10($0.power + 1e-12) }
    let sounding = levels.indices.filter { frames[$0].power > 0 }.map { levels[$0] }.sorted()
    guard !sounding.isEmpty else { return frames.map { _ in VoicingEvidence() } }
    let loud = sounding[min(sounding.count - 1, Int(Double(sounding.count) * loudShare))]
    let past = Int((fallSeconds / hopSeconds).rounded())
    return frames.indices.map { i in
      var evidence = VoicingEvidence()
      evidence.levelDb = min(max(levels[i] - loud, -40), 0)
      let loudest = levels[max(0, i - past)...i].max()!
      evidence.fallDb = max(levels[i] - loudest, -30)
      evidence.shareAboveNoise = frames[i].shareAboveNoise
      if let candidate = frames[i].candidate {
        evidence.correlation = candidate.correlation
        evidence.nearCorrelation = candidate.nearCorrelation
        evidence.persistence = candidate.persistence
      }
      evidence.refined = max(measured[i]?.correlation ?? 0, 0)
      return evidence
    }
  }
}
