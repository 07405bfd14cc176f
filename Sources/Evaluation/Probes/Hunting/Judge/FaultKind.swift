import Metrics

/// A kind of audible fault that a hunt looks for, with the metric that decides on it.
public enum FaultKind: String, CaseIterable, Codable, Sendable {
  /// The subject gave no sound, or one that can't be played.
  case failure
  case octaveSlip = "octave slip"
  case wrongNote = "wrong note"
  case mistuned
  case dropout
  case click
  case lateOnset = "late onset"
  case formantJump = "formant jump"
  case costSpike = "cost spike"

  /// The metric that measures it; a sound is judged only if the metric is graded to decide on its
  /// class.
  public var metric: String? { row.metric }

  /// The smallest amount that is heard, in the unit of the fault's amount: the threshold of
  /// hearing, or a limit of this project where there is none.
  public var threshold: Double { row.threshold }

  public var unit: String { row.unit }

  /// The method that has to agree with the metric's own.
  public var secondJudge: String { row.judge }

  private var row: (metric: String?, threshold: Double, unit: String, judge: String) {
    let fit = "a harmonic least-squares fit"
    // A share of frames as the time that it is of a second: a fault is not worse in a shorter sound.
    let msPerPercent = 10.0
    let grossMs = Audibility.gross.threshold * msPerPercent
    return switch self {
    case .failure: (nil, 1, "", "a second rendering")
    case .octaveSlip: ("pitch.octave_errors", grossMs, "ms", fit)
    case .wrongNote: ("pitch.gross_errors", grossMs, "ms", fit)
    case .mistuned: ("pitch.abs_error.p95", Audibility.pitch.threshold, "cents", fit)
    case .dropout:
      (
        "voice.missing", Audibility.missing.threshold * msPerPercent, "ms",
        "no harmonics fit at the target, and no repetition at its period"
      )
    case .click:
      (
        "clicks.count", Audibility.clicks.threshold, "clicks",
        "the second difference of the waveform"
      )
    case .lateOnset:
      ("latency.onset.p95", Audibility.latency.threshold, "ms", "the loudness of the whole")
    case .formantJump:
      ("formant.ratio", Audibility.formants.threshold, "%", "mel-cepstral distortion")
    case .costSpike: ("cpu.realtime_factor", 4, "times the median cost", "further renderings")
    }
  }

  /// True if the voice's pitch beside its target shows the fault.
  package var isOfPitch: Bool {
    [.octaveSlip, .wrongNote, .mistuned, .dropout].contains(self)
  }

  /// The kinds that a metric or a family of metrics measures.
  public static func measured(by name: String) -> [FaultKind] {
    let family = MetricFamily.all.first { $0.id == name }?.metrics.map(\.id) ?? [name]
    return allCases.filter { $0.metric.map(family.contains) ?? false }
  }
}
