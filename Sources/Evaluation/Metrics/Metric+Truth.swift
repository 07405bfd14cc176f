import Analyzer
import Corpus
import Statistics

extension Metric {
  /// Certainty of the lead's pitch, on which the errors of the voices depend.
  static let truth: [Metric] = [
    ofJury(
      "truth.excluded", unit: "share",
      "Voiced frames of the lead that are left out because two trackers disagree; 0 if the pitch "
        + "is exact"
    ) { $0.excludedShare },
    ofJury(
      "truth.uncertainty", unit: "cents",
      "Difference of two trackers on the other frames, median; 0 if the pitch is exact"
    ) { Statistics.median($0.uncertaintyCents.compactMap(\.self)) ?? .nan },
  ]

  private static func ofJury(
    _ id: String, unit: String, _ summary: String,
    _ part: @escaping @Sendable (JuryTruth) -> Double
  ) -> Metric {
    Metric(id, unit: unit, .lower, summary, domain: "recordings with a voice") { observation in
      if observation.isProbe { return [.undefined(.probe)] }
      guard let jury = observation.jury else {
        return [.value(0, count: observation.lead.f0Hz.count { $0 > 0 })]
      }
      guard jury.voicedCount > 0 else {
        return [.undefined(.tooLittleVoice, "neither tracker hears a voice")]
      }
      return [.value(part(jury), count: jury.voicedCount)]
    }
  }
}
