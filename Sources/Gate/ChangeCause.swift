/// A single change of a subject that moves many figures.
///
/// Cases stand in the order in which one explains another: a late voice is also off pitch for a
/// moment, but a voice off pitch is not late; a duller voice is also softer, but a softer one is not
/// duller.
public enum ChangeCause: String, Codable, CaseIterable, Sendable {
  case brokenSound = "broken sound"
  case missingVoice = "missing voice"
  case swappedVoices = "swapped voices"
  case delay
  case jitter = "unsteady delay"
  case octaves = "octave errors"
  case pitch
  case formants
  case timbre
  case consonants
  case level
  case artefacts
  case vibrato
  case words
  case stereo
  case other = "other figures"

  /// Metrics that measure the change itself, the most direct first; a star stands for any ending.
  var evidence: [String] {
    switch self {
    case .brokenSound: ["samples.non_finite", "contract.non_finite", "contract.stale"]
    case .missingVoice: ["voice.missing"]
    case .swappedVoices: ["voice.swapped"]
    case .delay:
      ["latency.impulse", "latency.onset", "latency.impulse.p5", "latency.onset.p5"]
    case .jitter: ["latency.impulse.p95", "latency.onset.p95", "latency.onset.deviation"]
    case .octaves: ["pitch.octave_errors"]
    case .pitch:
      [
        "pitch.abs_error", "pitch.bias", "pitch.residual", "pitch.within_5", "pitch.within_10",
        "pitch.judge_error.median", "pitch.within_25", "pitch.within_50", "pitch.lag",
      ]
    case .formants:
      ["formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift"]
    case .timbre: ["timbre.tilt_change", "envelope.lsd", "timbre.mcd"]
    case .consonants:
      ["consonant.lost*", "consonant.doubled*", "consonant.smeared*", "consonant.kept*"]
    case .level: ["level.change", "voice.level"]
    case .artefacts:
      [
        "dropouts.count", "clicks.count", "noise.floor", "tremolo.depth", "clipping.share",
        "dc.offset", "doubling.level", "transient.pre_echo", "modulation.added",
        "harmonicity.change",
      ]
    case .vibrato: ["pitch.vibrato_extent_ratio", "pitch.vibrato_rate_error"]
    case .words: ["intelligibility*"]
    case .stereo: ["stereo*"]
    case .other: ["*"]
    }
  }

  /// Metrics and families that the change moves too.
  private var consequences: [String] {
    let sung = ["pitch", "chord", "voice", "note.onset_displacement"]
    let heard = ["intelligibility", "consonant", "envelope", "timbre", "harmonicity", "modulation"]
    return switch self {
    case .brokenSound, .missingVoice: [""]
    case .swappedVoices: sung + heard + ["formant"]
    case .delay, .jitter:
      sung + heard + ["latency", "formant", "transient", "doubling", "step", "tremolo", "clicks"]
    case .octaves: sung + heard + ["formant", "tremolo", "clicks", "transient"]
    case .pitch: sung + ["timbre.mcd", "envelope", "harmonicity", "modulation", "formant"]
    case .formants:
      heard + ["pitch", "voice", "level", "tremolo", "transient", "note.onset_displacement"]
    case .timbre: heard + ["voice", "level", "transient", "note.onset_displacement"]
    case .consonants: heard + ["transient", "note.onset_displacement", "level", "voice"]
    case .level: ["intelligibility", "noise", "clipping", "clicks", "voice"]
    case .artefacts: heard + ["pitch", "voice", "transient", "note.onset_displacement"]
    case .vibrato: ["pitch"]
    case .words, .stereo, .other: []
    }
  }

  /// Returns the place of a metric in the evidence; `nil` if it is none.
  func directness(of metric: String) -> Int? {
    evidence.firstIndex { name in
      name.hasSuffix("*") ? metric.hasPrefix(name.dropLast()) : metric == name
    }
  }

  /// Returns true if the change explains that the metric moved.
  func explains(_ metric: String) -> Bool {
    directness(of: metric) != nil || consequences.contains { metric.belongs(to: $0) }
  }
}

extension String {
  /// True if a metric is the named one, or of the named family.
  fileprivate func belongs(to name: String) -> Bool {
    name.isEmpty || self == name || hasPrefix(name + ".")
  }
}
