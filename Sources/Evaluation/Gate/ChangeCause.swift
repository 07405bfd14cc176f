/// A single change of a subject that moves many figures.
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

  /// Metrics and families that the change moves besides those that measure it.
  private var consequences: [String] {
    let sung = ["pitch", "chord", "voice", "note.onset_displacement"]
    let words = ["intelligibility", "envelope", "timbre", "harmonicity", "modulation"]
    let heard = words + ["consonant"]
    return switch self {
    case .brokenSound, .missingVoice: [""]
    case .swappedVoices: sung + heard + ["formant", "level", "latency", "dc", "noise", "clicks"]
    // A late voice has its consonants, later; beside an early dry voice they come twice.
    case .delay:
      sung + words
        + ["consonant.doubled", "latency", "formant", "doubling", "step", "tremolo", "clicks"]
    case .jitter:
      sung + heard + ["latency", "formant", "doubling", "step", "tremolo", "clicks"]
    case .octaves: sung + heard + ["formant", "tremolo", "clicks"]
    // A probe has few impulses, and another ratio of a delay line moves the first of them.
    case .pitch:
      sung + [
        "timbre.mcd", "envelope", "harmonicity", "modulation", "formant", "latency.impulse.p5",
      ]
    case .formants:
      words + ["pitch", "voice", "level", "tremolo", "note.onset_displacement"]
    case .timbre:
      words + ["formant", "voice", "level", "note.onset_displacement"]
        + ["latency.onset"]
    case .consonants: heard + ["note.onset_displacement", "level", "voice"]
    case .level: ["intelligibility", "noise", "clipping", "clicks", "voice"]
    case .artefacts:
      sung + heard + ["formant", "tremolo", "clicks", "noise", "latency.onset"]
    case .vibrato: ["pitch"]
    case .words, .stereo, .other: []
    }
  }

  /// Returns true if the change explains that the metric moved. A delay moves no median of pitch to one side,
  /// so there a second change is at work.
  func explains(_ metric: String) -> Bool {
    if [.delay, .jitter].contains(self), metric == "pitch.bias" { return false }
    return CauseEvidence.ordered.contains { $0.cause == self && $0.place(of: metric) != nil }
      || consequences.contains { metric.belongs(to: $0) }
  }
}

extension String {
  /// True if a metric is the named one, or of the named family.
  fileprivate func belongs(to name: String) -> Bool {
    name.isEmpty || self == name || hasPrefix(name + ".")
  }
}
