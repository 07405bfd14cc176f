import Analyzer

extension Metric {
  /// Presence of each voice.
  static let voices: [Metric] = [
    Metric(
      "voice.missing", version: 2, unit: "share", .lower,
      "Frames with a target in which the voice has no pitch",
      domain: "frames with a target within 60 to 1200 Hz, at least 20"
    ) { observation in
      ofVoices(observation) { voice, index in
        let wanted = voice.target.f0Hz.indices.filter { voice.target.f0Hz[$0] > 0 }
        return summary(wanted.map { voice.heard.f0Hz[$0] }, index) { share(of: $0) { $0 == 0 } }
      }
    },
    Metric(
      "voice.ghost", unit: "share", .lower,
      "Frames without a pitch in score and lead in which the voice has one",
      domain: "frames at least 50 ms from any target and from any pitch of the lead, at least 20"
    ) { observation in
      ofVoices(observation) { voice, index in
        let silent = voice.silentFrames(besides: observation.leadSound, observation.delay.seconds)
        return summary(silent.map { voice.heard.f0Hz[$0] }, index) { share(of: $0) { $0 > 0 } }
      }
    },
    Metric(
      "voice.swapped", unit: "share", .lower,
      "Frames in which the voice is within 50 cents of another voice's target",
      domain: "scores of at least two voices; frames in which another target lies at least 100 "
        + "cents from the voice's own, at least 20"
    ) { observation in
      guard observation.isProbe || observation.voices.count != 1 else {
        return [.undefined(.oneVoice, "the score has one voice only")]
      }
      return ofVoices(observation) { voice, index in
        let others = observation.voices.indices.filter { $0 != index }
        let swaps = voice.target.f0Hz.indices.compactMap { frame -> Double? in
          let (own, heard) = (voice.target.f0Hz[frame], voice.heard.f0Hz[frame])
          guard own > 0, heard > 0 else { return nil }
          let strange = others.compactMap { other -> Double? in
            let track = observation.voices[other].target.f0Hz
            guard frame < track.count, track[frame] > 0 else { return nil }
            return abs(cents(track[frame], over: own)) >= 100 ? track[frame] : nil
          }
          guard !strange.isEmpty else { return nil }
          return strange.contains { abs(cents(heard, over: $0)) <= 50 } ? 1 : 0
        }
        return summary(swaps, index) { share(of: $0) { $0 == 1 } }
      }
    },
    Metric(
      "chord.recall", unit: "share", .higher,
      "Share of targets that some voice sings within 50 cents; each voice counts once",
      domain: "frames in which a voice has a target within 60 to 1200 Hz, at least 20"
    ) { observation in
      if observation.isProbe { return [.undefined(.probe)] }
      guard let first = observation.voices.first else {
        return [.undefined(.noStems)]
      }
      var (wantedCount, foundCount, frames) = (0, 0, 0)
      for frame in first.target.f0Hz.indices {
        func pitches(_ track: KeyPath<VoiceObservation, PitchTrack>) -> [Double] {
          observation.voices.compactMap {
            let f0 = $0[keyPath: track].f0Hz
            return frame < f0.count && f0[frame] > 0 ? f0[frame] : nil
          }.sorted()
        }
        let wanted = pitches(\.target)
        guard !wanted.isEmpty else { continue }
        frames += 1
        wantedCount += wanted.count
        foundCount += matches(wanted, pitches(\.heard))
      }
      guard frames >= 20 else {
        return [.undefined(.tooLittleVoice, "only \(frames) frames have a target")]
      }
      return [.value(Double(foundCount) / Double(wantedCount), count: frames)]
    },
  ]

  /// Returns how many of the sorted pitches have a partner of their own within 50 cents. Each takes
  /// the lowest one left, from low to high, which gives the largest possible number.
  private static func matches(_ wanted: [Double], _ heard: [Double]) -> Int {
    var (place, found) = (0, 0)
    for hz in wanted {
      while place < heard.count, cents(heard[place], over: hz) < -50 { place += 1 }
      if place < heard.count, cents(heard[place], over: hz) <= 50 {
        found += 1
        place += 1
      }
    }
    return found
  }
}
