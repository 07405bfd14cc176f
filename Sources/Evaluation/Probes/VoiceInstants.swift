import Analyzer
import Metrics
import Platform

extension EventDelay {
  /// The events whose delay is known, with their times in the input.
  var measured: [(seconds: Double, delayMs: Double)] {
    zip(eventSeconds, delaysMs).compactMap { seconds, delayMs in delayMs.map { (seconds, $0) } }
  }
}

/// The instants at which the voices of a rendering are worst.
extension Observation {
  /// Returns the largest errors of each voice, none within 0.2 s of a larger one.
  func outOfTune(most: Int) -> [Explanation.Instant] {
    let all = voices.enumerated().flatMap { index, voice in
      (0..<min(voice.heard.count, voice.target.count)).compactMap { frame -> Explanation.Instant? in
        let (measured, wanted) = (voice.heard.f0Hz[frame], voice.target.f0Hz[frame])
        guard measured > 0, wanted > 0 else { return nil }
        return Explanation.Instant(
          atSeconds: Double(frame) * voice.heard.hopSeconds, voice: index,
          value: cents(measured, over: wanted), unit: "cents",
          words: "\(fixed(measured)) Hz, target \(fixed(wanted)) Hz")
      }
    }
    var chosen: [Explanation.Instant] = []
    for candidate in all.sorted(by: { abs($0.value) > abs($1.value) }) {
      guard chosen.count < most else { break }
      let isNear = chosen.contains {
        $0.voice == candidate.voice && abs($0.atSeconds - candidate.atSeconds) < 0.2
      }
      if !isNear { chosen.append(candidate) }
    }
    return chosen
  }

  /// Returns the longest stretches in which a voice should sound but is not heard.
  func missing(most: Int) -> [Explanation.Instant] {
    let found = voices.enumerated().flatMap { index, voice in
      voice.presence.gaps.map { gap in
        let (hop, ms) = (voice.heard.hopSeconds, Double(gap.count) * voice.heard.hopSeconds * 1000)
        return Explanation.Instant(
          atSeconds: Double(gap.lowerBound) * hop, voice: index, value: ms, unit: "ms",
          words: "not heard for \(fixed(ms, 0)) ms")
      }
    }
    return Array(found.sorted { $0.value > $1.value }.prefix(most))
  }

  /// Returns the loudest clicks that the lead does not have.
  func clicks(most: Int) -> [Explanation.Instant] {
    let found = voices.indices.flatMap { voice -> [Explanation.Instant] in
      guard let pair = try? self.pair(ofVoice: voice, against: .lead).get(),
        let clicks = try? pair.clicks()
      else { return [] }
      return clicks.clicks.map { click in
        Explanation.Instant(
          atSeconds: click.timeSeconds + pair.clicksBeginSeconds, voice: voice,
          value: click.levelDbfs, unit: "dBFS",
          words: "click, \(fixed(click.prominence)) times as high as its surroundings")
      }
    }
    return Array(found.sorted { $0.value > $1.value }.prefix(most))
  }
}
