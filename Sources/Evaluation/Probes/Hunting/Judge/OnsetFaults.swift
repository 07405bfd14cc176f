import Analyzer
import Metrics

/// Onsets that come later than the subject's usual delay.
enum OnsetFaults {
  static func all(in observation: Observation, usualDelayMs: Double) -> [HuntFault] {
    let (output, input) = (observation.rendering.mix, observation.heard)
    guard let found = try? EventDelay(of: output, from: input) else { return [] }
    let late = zip(found.eventSeconds, found.delaysMs).compactMap { seconds, delayMs in
      delayMs.map { (seconds: seconds, delayMs: $0) }
    }.max { $0.delayMs < $1.delayMs }
    guard let late, late.delayMs > usualDelayMs else { return [] }
    let excess = late.delayMs - usualDelayMs
    return [
      HuntFault(
        kind: .lateOnset, voice: nil, atSeconds: late.seconds + late.delayMs / 1000, amount: excess,
        words: "an onset comes \(Int(excess.rounded())) ms later than usual",
        confidence: SecondJudge.onsetConfidence(
          of: output, from: input, atSeconds: late.seconds, delayMs: late.delayMs))
    ]
  }
}
