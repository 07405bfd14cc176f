import Corpus
import Foundation
import Metrics
import Statistics
import Subjects

/// Formants away from where the subject leaves them on plain performances.
enum FormantFaults {
  /// Distortion beyond that of plain performances, as a ratio, that confirms moved formants.
  private static let minExtraDistortion = 1.3

  /// Highest pitch of a voice whose formants are judged in a sound of a second: above it, harmonics
  /// lie so far apart that a few of them decide.
  static let highestHz = 350.0

  static func all(in observation: Observation, _ plain: PlainBehaviour) -> [HuntFault] {
    guard let law = plain.formants, law != .unclear else { return [] }
    return ratios(of: observation).compactMap { voice, ratio in
      let target = observation.voices[voice].target.f0Hz.filter { $0 > 0 }
      guard let pitch = Statistics.median(target), pitch <= highestHz else { return nil }
      guard let wanted = wanted(voice, observation.score, law) else { return nil }
      let percent = 100 * abs(ratio / wanted - 1)
      let distortion = distortionDb(of: observation, voice: voice) ?? 0
      let more = distortion / max(plain.distortionDb, 0.1)
      return HuntFault(
        kind: .formantJump, voice: voice, atSeconds: observation.heard.durationSeconds / 2,
        amount: percent,
        words: "the formants are \(Int(percent.rounded())) % "
          + (law == .moved
            ? "\(ratio > wanted ? "higher" : "lower") than the pitch takes them"
            : "too \(ratio > wanted ? "high" : "low")"),
        confidence: more >= minExtraDistortion
          ? 1 : max(0, (more - 1) / (minExtraDistortion - 1) / 2))
    }
  }

  /// Returns the formant ratio of each voice against its ideal.
  static func ratios(of observation: Observation) -> [(voice: Int, value: Double)] {
    values("formant.ratio", observation)
  }

  static func distortionDb(of observation: Observation, voice: Int) -> Double? {
    values("timbre.mcd", observation).first { $0.voice == voice }?.value
  }

  private static func values(
    _ metric: String, _ observation: Observation
  ) -> [(voice: Int, value: Double)] {
    (Metric.metric(id: metric)?.measure(observation) ?? []).compactMap { result in
      guard let voice = result.voice, let value = result.outcome.number else { return nil }
      return (voice, value)
    }
  }

  /// Returns the ratio that the subject's law gives; `nil` for notes, whose interval changes.
  private static func wanted(
    _ voice: Int, _ score: ResolvedScore, _ law: PlainBehaviour.Formants
  ) -> Double? {
    switch law {
    case .kept: return 1
    case .moved:
      guard case .interval(let semitones)? = score.voices[voice].first?.target else { return nil }
      return exp2(semitones / 12)
    case .unclear: return nil
    }
  }
}
