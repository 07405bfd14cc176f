import Analyzer
import Statistics

extension Metric {
  static let missing = VoiceFigure(
    .init(
      "voice.missing", version: 9, unit: "share", .lower,
      "Missing voice: frames with a target in which it has no pitch for 30 ms, and the target is not the "
        + "likeliest in half of them"),
    domain: "frames with a target within 60 to 1200 Hz in which the tracker hears the lead, at "
      + "least 20; in a mix, frames in which other voices do not hide it"
  ) { voice in
    let presence = voice.presence
    let lost = Set(presence.gaps.joined())
    return .share(of: presence.judged.map { lost.contains($0) ? 1 : 0 }) { $0 == 1 }
  }

  static let ghost = VoiceFigure(
    .init(
      "voice.ghost", version: 4, unit: "share", .lower,
      "Voice out of turn: frames without a pitch in score and lead in which it has one"),
    domain: "frames at least 50 ms from any target and from any pitch of the lead, at least 20"
  ) { voice in
    .share(of: voice.silentFrames.map { voice.heard.f0Hz[$0] }) { $0 > 0 }
  }

  /// Presence of each voice.
  static let voices: [Metric] = [
    missing.metric(), ghost.metric(needsStems: true),
    Metric(
      .init(
        "voice.swapped", version: 4, unit: "share", .lower,
        "Frames in which the voice is within 50 cents of another voice's target"),
      domain: "stems of scores of at least two voices; frames in which another target lies at "
        + "least 100 cents from the voice's own, at least 20"
    ) { observation in
      guard observation.isProbe || observation.voices.count != 1 else {
        throw Undefined(.oneVoice, "the score has one voice only")
      }
      return try observation.byStem { voice, _, index in
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
        return .share(of: swaps) { $0 == 1 }
      }
    },
    Metric(
      .init(
        "chord.recall", version: 7, unit: "share", .higher,
        "Share of targets that some voice sings within 50 cents; each voice counts once"),
      domain: "frames in which a voice has a target within 60 to 1200 Hz, at least 20; in a mix, "
        + "targets that other voices do not hide"
    ) { observation in
      if observation.isProbe { throw Undefined.probe }
      if let reason = observation.voices.lazy.compactMap(\.delay.noTargets).first { throw reason }
      let judged = observation.voices.map { Set($0.apartFrames) }
      var (wantedCount, matchedCount, frames) = (0, 0, 0)
      for frame in 0..<(observation.voices.map(\.target.count).max() ?? 0) {
        func pitches(_ track: KeyPath<VoiceObservation, PitchTrack>) -> [Double] {
          zip(observation.voices, judged).compactMap { voice, judged in
            let f0 = voice[keyPath: track].f0Hz
            let isHidden = voice.sound == nil && !judged.contains(frame)
            return frame < f0.count && f0[frame] > 0 && !isHidden ? f0[frame] : nil
          }.sorted()
        }
        let wanted = pitches(\.target)
        guard !wanted.isEmpty else { continue }
        frames += 1
        wantedCount += wanted.count
        matchedCount += matches(wanted, pitches(\.heard))
      }
      guard frames >= 20 else {
        throw Undefined(.tooLittleVoice, "only \(frames) frames have a target")
      }
      return [.value(Double(matchedCount) / Double(wantedCount), count: frames)]
    },
    VoiceFigure(
      .init(
        "voice.level", version: 4, unit: "dB", .target,
        "Level of the voice below 3.9 kHz relative to the lead's input, median over frames"),
      domain: "frames in which the voice has its target and is heard, at least 20"
    ) { .summary($0.levelsDb) { Statistics.median($0)! } }.metric(),
  ]

  /// Returns how many of the sorted pitches have a partner of their own within 50 cents. Each takes
  /// the lowest one left, from low to high, which gives the largest possible number.
  private static func matches(_ wanted: [Double], _ heard: [Double]) -> Int {
    var (place, matched) = (0, 0)
    for hz in wanted {
      while place < heard.count, cents(heard[place], over: hz) < -50 { place += 1 }
      if place < heard.count, cents(heard[place], over: hz) <= 50 {
        matched += 1
        place += 1
      }
    }
    return matched
  }
}

extension Metric {
  /// Share of a mix that can be judged, and the certainty.
  static let mix: [Metric] = [
    ofMixes(
      .init(
        "mix.judged", unit: "share", .higher,
        "Frames with a target in which the mix tells the voice's pitch, or that it is missing",
        describes: true),
      domain: "mixes of several voices; frames with a target within 60 to 1200 Hz, at least 20"
    ) { _, voice, _ in
      let wanted = voice.target.f0Hz.count { $0 > 0 }
      guard wanted >= 20 else {
        throw Undefined(.tooLittleVoice, "only \(wanted) frames have a target")
      }
      return .value(Double(voice.judgedFrames.count) / Double(wanted), count: wanted)
    },
    ofMixes(
      .init(
        "mix.uncertainty", unit: "cents", .lower,
        "Standard deviation of the voice's pitch that the fit states, median over frames",
        describes: true),
      domain: "mixes of several voices; frames in which the voice has its target and is heard, at "
        + "least 20"
    ) { mix, voice, index in
      let deviations = voice.judgedFrames.compactMap { mix.tracks[index].uncertaintyCents[$0] }
      return MetricResult.summary(deviations) { Statistics.median($0)! }
        .replacedIfHidden(by: voice)
    },
  ]

  private static func ofMixes(
    _ figure: Figure, domain: String,
    _ measure: @escaping @Sendable (MixObservation, VoiceObservation, Int) throws -> MetricResult
  ) -> Metric {
    Metric(figure, domain: domain) { observation in
      guard let mix = observation.mix else {
        throw observation.isProbe
          ? Undefined.probe : Undefined(.stemsGiven, "the subject gives each voice alone")
      }
      return try observation.byVoice { voice, index in try measure(mix, voice, index) }
    }
  }
}
