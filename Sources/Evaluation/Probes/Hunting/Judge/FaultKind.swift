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
  public var metric: String? {
    switch self {
    case .failure: nil
    case .octaveSlip: "pitch.octave_errors"
    case .wrongNote: "pitch.gross_errors"
    case .mistuned: "pitch.abs_error.p95"
    case .dropout: "voice.missing"
    case .click: "clicks.count"
    case .lateOnset: "latency.onset.p95"
    case .formantJump: "formant.ratio"
    case .costSpike: "cpu.realtime_factor"
    }
  }

  /// True if the voice's pitch beside its target shows the fault.
  package var isOfPitch: Bool {
    switch self {
    case .octaveSlip, .wrongNote, .mistuned, .dropout: true
    case .failure, .click, .lateOnset, .formantJump, .costSpike: false
    }
  }

  /// The kinds that a metric or a family of metrics measures.
  public static func measured(by name: String) -> [FaultKind] {
    let family = MetricFamily.all.first { $0.id == name }?.metrics.map(\.id) ?? [name]
    return allCases.filter { $0.metric.map(family.contains) ?? false }
  }

  /// The smallest amount that is heard, in the unit of the fault's amount: the threshold of
  /// hearing, or a limit of this project where there is none.
  public var threshold: Double {
    switch self {
    case .failure: 1
    case .octaveSlip, .wrongNote: Audibility.gross.threshold * Self.msPerPercent
    case .mistuned: Audibility.pitch.threshold
    case .dropout: Audibility.missing.threshold * Self.msPerPercent
    case .click: Audibility.clicks.threshold
    case .lateOnset: Audibility.latency.threshold
    case .formantJump: Audibility.formants.threshold
    case .costSpike: 4
    }
  }

  /// A share of frames as the time that it is of a second: a fault is not worse in a shorter sound.
  private static let msPerPercent = 10.0

  public var unit: String {
    switch self {
    case .failure: ""
    case .octaveSlip, .wrongNote, .dropout, .lateOnset: "ms"
    case .mistuned: "cents"
    case .click: "clicks"
    case .formantJump: "%"
    case .costSpike: "times the usual cost"
    }
  }

  /// The method that has to agree with the metric's own.
  public var secondJudge: String {
    switch self {
    case .failure: "a second rendering"
    case .octaveSlip, .wrongNote, .mistuned: "a harmonic least-squares fit"
    case .dropout: "no harmonics fit at the target, and no repetition at its period"
    case .click: "the second difference of the waveform"
    case .lateOnset: "the loudness of the whole"
    case .formantJump: "mel-cepstral distortion"
    case .costSpike: "further renderings"
    }
  }
}
