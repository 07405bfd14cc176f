import Analyzer
import Metrics
import Singer

/// Faults at one instant: clicks that the input does not have, and late onsets.
enum EventFaults {
  /// Time around a plosive in which its burst may pass for a click.
  private static let nearPlosiveSeconds = 0.040

  /// Returns the worst click of each voice.
  static func clicks(in observation: Observation) -> [HuntFault] {
    observation.voices.indices.compactMap { voice in
      guard let stem = observation.voices[voice].stem,
        let pair = try? observation.pair(ofVoice: voice, against: .lead).get(),
        let found = try? pair.clicks(), let delay = observation.voices[voice].delay.seconds
      else { return nil }
      let clicks = found.clicks.filter { click in
        !isNearPlosive(click.timeSeconds + pair.clicksBeginSeconds - delay, observation)
      }.map { click -> (at: Double, click: Clicks.Click, sure: Double) in
        let at = click.timeSeconds + pair.clicksBeginSeconds
        return (at, click, SecondJudge.clickConfidence(in: stem, atSeconds: at))
      }
      let sure = clicks.filter { $0.sure >= SecondJudge.minConfidence }
      guard
        let worst = (sure.isEmpty ? clicks : sure).max(by: {
          $0.click.prominence < $1.click.prominence
        })
      else { return nil }
      let count = max(1, sure.count)
      let times = (worst.click.prominence * 10).rounded() / 10
      return HuntFault(
        kind: .click, voice: voice, atSeconds: worst.at, amount: Double(count),
        words: (count == 1 ? "a click" : "\(count) clicks, the worst")
          + " \(times) times as high as its surroundings",
        confidence: worst.sure)
    }
  }

  private static func isNearPlosive(_ seconds: Double, _ observation: Observation) -> Bool {
    (observation.recording.phones ?? []).contains { phone in
      guard let manner = Phone(rawValue: phone.label)?.manner,
        manner == .voicelessStop || manner == .voicedStop
      else { return false }
      return seconds > phone.onsetSeconds - nearPlosiveSeconds
        && seconds < phone.offsetSeconds + nearPlosiveSeconds
    }
  }

  /// Returns the latest onset, if it comes later than on plain performances.
  static func lateOnset(in observation: Observation, plainDelayMs: Double) -> [HuntFault] {
    let (output, input) = (observation.rendering.mix, observation.heard)
    guard let found = try? EventDelay(of: output, from: input) else { return [] }
    guard let late = found.measured.max(by: { $0.delayMs < $1.delayMs }),
      late.delayMs > plainDelayMs
    else { return [] }
    let excess = late.delayMs - plainDelayMs
    return [
      HuntFault(
        kind: .lateOnset, voice: nil, atSeconds: late.seconds + late.delayMs / 1000, amount: excess,
        words: "an onset comes \(Int(excess.rounded())) ms later than usual",
        confidence: SecondJudge.onsetConfidence(
          of: output, from: input, atSeconds: late.seconds, delayMs: late.delayMs))
    ]
  }
}
